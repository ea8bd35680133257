package io.offhook.calls.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NearDialogsTest {
    private static final long SECOND = 1_000_000_000L;

    private final NearDialogs<Integer> near = new NearDialogs<>();
    private int added;

    @Test
    void pairsADialogWithTheOneThatWentToItsHost() {
        add(0, 1, 2, "100", "200");
        assertThat(add(SECOND, 2, 3, "300", "400")).containsExactly(0);
        assertThat(add(SECOND, 4, 5, "500", "600")).isEmpty();
    }

    @Test
    void pairsDialogsOfOneCalledOrCallingNumber() {
        add(0, 1, 2, "100", "200");
        assertThat(add(SECOND, 3, 4, "300", "200")).containsExactly(0);
        assertThat(add(2 * SECOND, 5, 6, "100", "400")).containsExactly(0);
    }

    @Test
    void forgetsAfterFiveSeconds() {
        add(0, 1, 2, "100", "200");
        assertThat(add(5 * SECOND, 3, 4, "300", "200")).containsExactly(0);
        assertThat(add(11 * SECOND, 5, 6, "500", "200")).isEmpty();
    }

    @Test
    void pairsWithNoMoreThanTheLastSixteen() {
        for (int i = 0; i < 20; i++) {
            add(i, 10 + i, 100 + i, "", "200");
        }
        assertThat(add(20, 1, 2, "", "200"))
                .containsExactlyInAnyOrder(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    }

    /** Adds the next dialog and returns those that it may be a leg of. */
    private Set<Integer> add(long atNs, int from, int to, String caller, String called) {
        List<Integer> earlier = new ArrayList<>();
        near.add(
                added++,
                atNs,
                host(from),
                List.of(host(to)),
                DialogFacts.Users.of(caller, called),
                (parent, _) -> earlier.add(parent));
        return new LinkedHashSet<>(earlier);
    }

    private static Endpoint host(int number) {
        return Endpoint.ofIpv4(0x0a000000 + number, 5060);
    }
}
