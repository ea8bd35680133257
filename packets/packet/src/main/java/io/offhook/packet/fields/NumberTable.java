package io.offhook.packet.fields;

import io.offhook.packet.Claims;
import io.offhook.packet.Layer;
import io.offhook.packet.Protocol;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The protocols that claim the numbers of one space; lookups allocate nothing. */
final class NumberTable {
    private final int[] numbers; // sorted
    private final Protocol[][] claimants;

    NumberTable(List<? extends Protocol> protocols, Claims.Space space) {
        numbers = protocols.stream()
                .flatMapToInt(protocol -> Arrays.stream(protocol.claims().numbers(space)))
                .sorted()
                .distinct()
                .toArray();
        claimants = new Protocol[numbers.length][];
        for (int i = 0; i < numbers.length; i++) {
            int number = numbers[i];
            claimants[i] = protocols.stream()
                    .filter(protocol -> protocol.claims().contains(space, number))
                    .toArray(Protocol[]::new);
        }
    }

    /** Whether any protocol claims the number. */
    boolean has(int number) {
        return Arrays.binarySearch(numbers, number) >= 0;
    }

    /** The first that claims the number and accepts the bytes; null if there is none. */
    @Nullable
    Protocol accepting(int number, Layer layer) {
        int i = Arrays.binarySearch(numbers, number);
        if (i < 0) {
            return null;
        }
        for (Protocol claimant : claimants[i]) {
            if (claimant.accepts(layer)) {
                return claimant;
            }
        }
        return null;
    }
}
