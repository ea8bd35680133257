package io.offhook.proxy.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServiceOrderTest {
    private static DnsRecord.Service service(int priority, int weight, String target) {
        return new DnsRecord.Service(priority, weight, 5060, target);
    }

    private static List<String> targets(List<DnsRecord> records, Random random) {
        return ServiceOrder.of(records, random::nextInt).stream()
                .map(DnsRecord.Service::target)
                .toList();
    }

    @Test
    void sortsByPriorityFirst() {
        List<DnsRecord> records = List.of(service(20, 100, "c"), service(10, 0, "b"), service(0, 1, "a"));

        assertThat(targets(records, new Random(1))).containsExactly("a", "b", "c");
    }

    @Test
    void drawsByWeight() {
        List<DnsRecord> records = List.of(service(1, 60, "a"), service(1, 30, "b"), service(1, 10, "c"));
        Random random = new Random(7);
        int[] first = new int[3];
        for (int i = 0; i < 30_000; i++) {
            first[targets(records, random).getFirst().charAt(0) - 'a']++;
        }
        assertThat(first[0] / 30_000.0).isCloseTo(0.6, within(0.02));
        assertThat(first[1] / 30_000.0).isCloseTo(0.3, within(0.02));
        assertThat(first[2] / 30_000.0).isCloseTo(0.1, within(0.02));
    }

    @Test
    void drawsThoseOfNoWeightSeldomButAtAll() {
        List<DnsRecord> records = List.of(service(1, 99, "a"), service(1, 0, "b"));
        Random random = new Random(7);
        int seldom = 0;
        for (int i = 0; i < 10_000; i++) {
            seldom += targets(records, random).getFirst().equals("b") ? 1 : 0;
        }
        assertThat(seldom).isBetween(50, 200);
    }

    @Test
    void keepsEachTargetOnce() {
        Random random = new Random(3);
        for (int run = 0; run < 200; run++) {
            List<DnsRecord> records = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(20); i++) {
                records.add(service(random.nextInt(3), random.nextInt(4) * 65_535 / 3, "t" + i));
            }
            List<DnsRecord.Service> ordered = ServiceOrder.of(records, random::nextInt);
            assertThat(ordered)
                    .containsExactlyInAnyOrderElementsOf(
                            records.stream().map(DnsRecord.Service.class::cast).toList());
            assertThat(ordered).extracting(DnsRecord.Service::priority).isSorted();
        }
    }
}
