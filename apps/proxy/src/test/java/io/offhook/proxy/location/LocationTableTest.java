package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LocationTableTest {
    private static final long NOW = Registrations.NOW;

    /** Bindings of an hour from a time on. */
    private static Binding binding(AddressOfRecord user, long registeredMs) {
        return Registrations.binding(user, 1, registeredMs);
    }

    @Test
    void whatExpiresIsRemovedAndTheRestStays() {
        LocationTable table = new LocationTable();
        AddressOfRecord one = Registrations.user(1);
        AddressOfRecord two = Registrations.user(2);
        table.put(one, List.of(binding(one, NOW), binding(one, NOW + 60_000)));
        table.put(two, List.of(binding(two, NOW)));

        assertThat(table.expire(NOW + 3_599_999, 100)).isZero();
        assertThat(table.expire(NOW + 3_601_000, 100)).isEqualTo(2);

        assertThat(table.get(one)).hasSize(1);
        assertThat(table.get(two)).isEmpty();
        assertThat(table.addresses()).isEqualTo(1);
        assertThat(table.bindings()).isEqualTo(1);
        assertThat(table.expire(NOW + 3_661_000, 100)).isEqualTo(1);
        assertThat(table.addresses()).isZero();
    }

    @Test
    void atMostSoManyAreLookedAtAtOnce() {
        LocationTable table = new LocationTable();
        for (int i = 0; i < 10; i++) {
            table.put(Registrations.user(i), List.of(binding(Registrations.user(i), NOW)));
        }

        assertThat(table.expire(NOW + 3_601_000, 4)).isEqualTo(4);
        assertThat(table.expire(NOW + 3_601_000, 100)).isEqualTo(6);
    }

    /** Against a map that is searched, with a printed seed. */
    @Test
    void agreesWithAPlainMapWhateverHappens() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        LocationTable table = new LocationTable();
        Map<AddressOfRecord, List<Binding>> plain = new HashMap<>();
        long nowMs = NOW;
        for (int i = 0; i < 5_000; i++) {
            AddressOfRecord user = Registrations.user(random.nextInt(40));
            nowMs += random.nextInt(400_000);
            List<Binding> bindings = new ArrayList<>();
            for (int j = random.nextInt(4); j > 0; j--) {
                bindings.add(binding(user, nowMs - random.nextInt(3_600_000)));
            }
            table.put(user, bindings);
            plain.put(user, bindings);
            if (random.nextBoolean()) {
                long whole = nowMs / 1000 * 1000;
                table.expire(whole, Integer.MAX_VALUE);
                plain.replaceAll((key, list) -> list.stream()
                        .filter(each -> each.expiresAtMs() / 1000 + 1 > whole / 1000 || each.expiresAtMs() > whole)
                        .toList());
            }
            long sum = plain.values().stream().mapToLong(List::size).sum();
            assertThat(table.bindings()).as("seed %d, step %d", seed, i).isEqualTo(sum);
        }
        plain.forEach((user, bindings) ->
                assertThat(table.get(user)).as("seed " + seed).isEqualTo(bindings));
        assertThat(table.addresses()).isEqualTo((int)
                plain.values().stream().filter(list -> !list.isEmpty()).count());
    }

    /** 100,000 registered desk phones, as the requirement has it. */
    @Test
    void aBindingTakesLessThanAKilobyteOfHeap() {
        int users = 100_000;
        LocationTable table = new LocationTable();
        table.put(Registrations.user(-1), List.of(binding(Registrations.user(-1), NOW)));
        long before = usedHeap();
        for (int i = 0; i < users; i++) {
            AddressOfRecord user = new AddressOfRecord("user-" + i, new String("example.com".toCharArray()));
            table.put(user, List.of(binding(user, NOW + i)));
        }
        long bytes = (usedHeap() - before) / users;

        assertThat(table.bindings()).isEqualTo(users + 1);
        assertThat(bytes).as("bytes of heap for each of %d bindings", users).isBetween(300L, 1024L);
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
