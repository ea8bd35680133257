package io.offhook.cluster.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.cluster.codec.EventReader;
import io.offhook.cluster.codec.EventStatus;
import io.offhook.cluster.event.Drops;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.EventKey;
import io.offhook.cluster.event.Fault;
import io.offhook.cluster.event.Octets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventOutboxTest {
    private static final int PARTITIONS = 4;

    @TempDir
    Path folder;

    private Spool open(long maxOctets) throws IOException {
        return Spool.open(new SpoolConfig(folder, maxOctets, 4096));
    }

    private static Fault fault(int number) {
        return new Fault("failedPackets", "here", number, Octets.EMPTY);
    }

    private static List<Event> read(Spool spool) {
        EventReader reader = new EventReader();
        return spool.read(1_000_000, Integer.MAX_VALUE).stream()
                .map(entry -> {
                    byte[] octets = entry.event().octets().toArray();
                    assertThat(reader.read(octets)).as(reader.reason()).isEqualTo(EventStatus.OK);
                    Event event = reader.event();
                    assertThat(event.origin().partition())
                            .isEqualTo(entry.event().partition());
                    assertThat(event.origin().sequence())
                            .isEqualTo(entry.event().sequence());
                    assertThat(event.origin().incarnation())
                            .isEqualTo(entry.event().incarnation());
                    assertThat(event.key()).isEqualTo(entry.event().key());
                    assertThat(event.atNs()).isEqualTo(entry.event().atNs());
                    spool.acknowledge(entry.position());
                    return event;
                })
                .toList();
    }

    @Test
    void eachPartitionCountsForItself() throws IOException {
        try (Spool spool = open(1 << 20)) {
            EventOutbox outbox = new EventOutbox(spool, "p1", 5, PARTITIONS);
            for (int i = 0; i < 200; i++) {
                outbox.send(i, 1000L * i, fault(i));
                outbox.sendTo(i % PARTITIONS, i, fault(i));
            }
            Map<Integer, Long> last = new HashMap<>();
            List<Event> events = read(spool);
            assertThat(events).hasSize(400);
            for (Event event : events) {
                int partition = event.origin().partition();
                assertThat(event.origin().sequence()).isEqualTo(last.getOrDefault(partition, 0L) + 1);
                last.put(partition, event.origin().sequence());
                if (event.key() != 0) {
                    assertThat(partition).isEqualTo(EventKey.partition(event.key(), PARTITIONS));
                }
            }
            assertThat(last).hasSize(PARTITIONS);
        }
    }

    /** All numbers up to the last one are there, or in the range of an announcement in the same partition. */
    @Test
    void everyGapIsExplainedInItsPartition() throws IOException {
        try (Spool spool = open(40_000)) {
            EventOutbox outbox = new EventOutbox(spool, "p1", 5, PARTITIONS);
            for (int i = 0; i < 1500; i++) {
                outbox.send(i, 1000L * i, fault(i));
            }
            assertThat(outbox.announce(7_000)).isEqualTo(PARTITIONS);
            assertThat(outbox.announce(7_000)).as("under way").isZero();
            for (int i = 1500; i < 3000; i++) {
                outbox.send(i, 1000L * i, fault(i));
            }
            List<Event> events = new ArrayList<>();
            while (!spool.losses().isEmpty()) {
                outbox.announce(7_000);
                events.addAll(read(spool));
            }
            assertThat(spool.counts().events()).isZero();
            Map<Integer, Set<Long>> seen = new HashMap<>();
            Map<Integer, Long> last = new HashMap<>();
            long announced = 0;
            for (Event event : events) {
                Set<Long> there = seen.computeIfAbsent(event.origin().partition(), _ -> new HashSet<>());
                assertThat(there.add(event.origin().sequence())).as("once").isTrue();
                last.merge(event.origin().partition(), event.origin().sequence(), Math::max);
                if (event.body() instanceof Drops drops) {
                    announced += drops.count();
                    assertThat(drops.place()).isEqualTo(Drops.Place.SPOOL);
                    assertThat(drops.cause()).isEqualTo("spoolEvicted");
                    assertThat(drops.events().partition())
                            .isEqualTo(event.origin().partition());
                    assertThat(drops.events().incarnation()).isEqualTo(5);
                    assertThat(drops.fromNs()).isBetween(0L, drops.untilNs());
                    for (long gone = drops.events().from();
                            gone <= drops.events().until();
                            gone++) {
                        assertThat(there.add(gone)).as("gone, or there").isTrue();
                    }
                }
            }
            assertThat(announced).isEqualTo(spool.counts().evicted()).isPositive();
            assertThat(seen).hasSize(PARTITIONS);
            seen.forEach(
                    (partition, numbers) -> assertThat((long) numbers.size()).isEqualTo(last.get(partition)));
        }
    }

    @Test
    void lossesOfAnEarlierProcessAreAnnouncedByTheNext() throws IOException {
        try (Spool spool = open(8192)) {
            EventOutbox outbox = new EventOutbox(spool, "p1", 5, 1);
            for (int i = 0; i < 300; i++) {
                outbox.sendTo(0, i, fault(i));
            }
        }
        try (Spool spool = open(8192)) {
            EventOutbox outbox = new EventOutbox(spool, "p1", 6, 1);
            assertThat(outbox.announce(9)).isOne();
            List<Event> events = read(spool);
            assertThat(events.getLast().body()).isInstanceOfSatisfying(Drops.class, drops -> {
                assertThat(drops.events().incarnation()).isEqualTo(5);
                assertThat(drops.events().from()).isOne();
                assertThat(drops.count()).isEqualTo(drops.events().until());
                assertThat(drops.events().until() + 1)
                        .isLessThanOrEqualTo(events.getFirst().origin().sequence());
            });
            assertThat(events.getLast().origin().incarnation()).isEqualTo(6);
            assertThat(events.getLast().origin().sequence()).isOne();
        }
    }

    @Test
    void wrongNamesAndNoPartitionsAreRefused() throws IOException {
        try (Spool spool = open(8192)) {
            assertThatThrownBy(() -> new EventOutbox(spool, "a b", 1, 1)).hasMessageContaining("probe \"a b\"");
            assertThatThrownBy(() -> new EventOutbox(spool, "a", 0, 1)).hasMessageContaining("incarnation 0");
            assertThatThrownBy(() -> new EventOutbox(spool, "a", 1, 0)).hasMessageContaining("0 partitions");
            assertThat(EventOutbox.newIncarnation()).isNotEqualTo(EventOutbox.newIncarnation());
        }
    }
}
