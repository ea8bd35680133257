package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offhook.rtp.playout.JitterBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * {@link RtpStream} against sets of sequence numbers: streams whose true numbers are known, with loss, bursts of it,
 * duplicates, disorder, wraps and senders that start over.
 */
class RtpStreamPropertyTest {
    private static final OneRow ROW = new OneRow();

    private static final int DYNAMIC = 111;
    private static final Codec OPUS = new Codec("opus", 48_000, 2);

    /** A packet as it arrives: its true number, which the stream sees 16 bits of. */
    private record Arrival(int run, long number, double order, long arrivalNs, int timestamp) {}

    /** What the packets up to some point amount to, counted the plain way. */
    private static final class Reference {
        long packets;
        long expected;
        long distinct;
        long duplicates;
        long strays;
        long expectedSinceFirst;
        int restarts;
        final Map<Integer, Integer> bursts = new TreeMap<>();

        Reference(List<Arrival> arrivals) {
            packets = arrivals.size();
            for (int run = 0; !arrivals.isEmpty() && run <= arrivals.getLast().run(); run++) {
                int wanted = run;
                List<Long> numbers = arrivals.stream()
                        .filter(a -> a.run() == wanted)
                        .map(Arrival::number)
                        .toList();
                Set<Long> seen = new HashSet<>(numbers);
                duplicates += numbers.size() - seen.size();
                if (run > 0 && seen.size() == 1) {
                    strays++; // one packet far away is no run yet
                    continue;
                }
                restarts += run > 0 ? 1 : 0;
                long low = Collections.min(seen);
                long high = Collections.max(seen);
                expected += high - low + 1;
                expectedSinceFirst += high - numbers.getFirst() + 1;
                distinct += seen.size();
                countBursts(seen, low, high);
            }
        }

        private void countBursts(Set<Long> seen, long low, long high) {
            int length = 0;
            for (long number = low; number <= high; number++) {
                if (!seen.contains(number)) {
                    length++;
                } else if (length > 0) {
                    bursts.merge(length, 1, Integer::sum);
                    length = 0;
                }
            }
        }
    }

    private static List<Arrival> arrivals(Random random) {
        List<Arrival> all = new ArrayList<>();
        double loss = random.nextInt(4) * 0.03;
        double burstLoss = random.nextInt(3) * 0.01;
        double disorder = random.nextInt(3) * 0.05;
        double duplicates = random.nextInt(3) * 0.05;
        int maxDelay = 2 + random.nextInt(97);
        int runs = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
        long start = random.nextInt(3) == 0 ? 65_536 - random.nextInt(200) : random.nextInt(65_536);
        long timeNs = 1_700_000_000_000_000_000L;
        int timestamp = random.nextInt();
        for (int run = 0; run < runs; run++) {
            List<Arrival> arrivals = new ArrayList<>();
            int count = 3 + random.nextInt(random.nextBoolean() ? 50 : 1500);
            long number = start;
            for (int i = 0; i < count; i++, number++) {
                if (i > 2 && i < count - 1 && random.nextDouble() < burstLoss) {
                    number += random.nextInt(random.nextInt(10) == 0 ? 2900 : 20);
                }
                if (i > 2 && i < count - 1 && random.nextDouble() < loss) {
                    continue;
                }
                boolean late = random.nextDouble() < disorder;
                double order = number + (late ? random.nextDouble() * maxDelay : 0);
                int ts = timestamp + (int) (number - start) * 960;
                arrivals.add(new Arrival(run, number, order, 0, ts));
                if (random.nextDouble() < duplicates) {
                    arrivals.add(new Arrival(run, number, order + random.nextDouble() * 3, 0, ts));
                }
            }
            arrivals.sort((a, b) -> Double.compare(a.order(), b.order()));
            for (Arrival a : arrivals) {
                timeNs += 10_000_000 + random.nextInt(20_000_000);
                all.add(new Arrival(run, a.number(), a.order(), timeNs, a.timestamp()));
            }
            long highest =
                    Collections.max(arrivals.stream().map(Arrival::number).toList());
            start = highest + 3200 + random.nextInt(61_000);
            timestamp = random.nextInt();
        }
        return all;
    }

    private static void feed(RtpStream stream, Arrival arrival, int index, int payloadType) {
        ROW.packet(
                stream,
                arrival.arrivalNs(),
                (int) arrival.number() & 0xffff,
                arrival.timestamp() & 0xffff_ffffL,
                payloadType,
                false,
                160,
                0x0102_0304_0506_0708L,
                index & 0xffff);
    }

    @Test
    void countsAsSetsDo() {
        for (int seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            List<Arrival> arrivals = arrivals(random);
            RtpStream stream = new RtpStream();
            int readAt = random.nextInt(arrivals.size());
            for (int i = 0; i < arrivals.size(); i++) {
                feed(stream, arrivals.get(i), i, 0);
                if (i == readAt || i == arrivals.size() - 1) {
                    compare("seed " + seed + " after " + (i + 1), stream, new Reference(arrivals.subList(0, i + 1)));
                }
            }
        }
    }

    private static void compare(String when, RtpStream stream, Reference reference) {
        assertThat(stream.packets()).as(when + " packets").isEqualTo(reference.packets);
        assertThat(stream.expected()).as(when + " expected").isEqualTo(reference.expected);
        assertThat(stream.distinct()).as(when + " distinct").isEqualTo(reference.distinct);
        assertThat(stream.lost()).as(when + " lost").isEqualTo(reference.expected - reference.distinct);
        assertThat(stream.duplicates()).as(when + " duplicates").isEqualTo(reference.duplicates);
        assertThat(stream.strays() + stream.late()).as(when + " far away").isEqualTo(reference.strays);
        assertThat(stream.mirrored()).as(when + " mirrored").isZero();
        assertThat(stream.restarts()).as(when + " restarts").isEqualTo(reference.restarts);
        assertThat(stream.cumulativeLost())
                .as(when + " cumulative lost")
                .isEqualTo(reference.expectedSinceFirst - (reference.packets - reference.strays));
        LossBursts bursts = stream.lossBursts();
        Map<Integer, Integer> histogram = new TreeMap<>();
        for (int i = 0; i < bursts.lengths(); i++) {
            histogram.put(bursts.length(i), bursts.count(i));
        }
        assertThat(bursts.packets()).as(when + " lost in bursts").isEqualTo(stream.lost());
        assertThat(bursts.unlisted()).isZero();
        assertThat(histogram).as(when + " bursts").isEqualTo(reference.bursts);
    }

    @Test
    void measuresJitterAsRfc3550Does() {
        for (int seed = 0; seed < 200; seed++) {
            List<Arrival> arrivals = arrivals(new Random(seed));
            RtpStream stream = new RtpStream();
            stream.codec(DYNAMIC, OPUS);
            double jitter = 0;
            double max = 0;
            double sum = 0;
            int samples = 0;
            Arrival last = null;
            for (int i = 0; i < arrivals.size(); i++) {
                Arrival a = arrivals.get(i);
                feed(stream, a, i, DYNAMIC);
                if (last != null && last.run() == a.run()) {
                    double transit =
                            (a.arrivalNs() - last.arrivalNs()) / 1e6 - (a.timestamp() - last.timestamp()) / 48.0;
                    if (Math.abs(transit) < Jitter.MAX_CHANGE_MS) {
                        jitter += (Math.abs(transit) - jitter) / 16;
                        max = Math.max(max, jitter);
                        sum += jitter;
                        samples++;
                    }
                }
                // the first packet of a new run counts once the second one shows that it was no stray
                boolean stray = last != null && last.run() != a.run();
                last = stray && !isConfirmed(arrivals, i) ? last : a;
            }
            assertThat(stream.jitterMs()).as("seed " + seed).isCloseTo(jitter, within(1e-6));
            assertThat(stream.maxJitterMs()).as("seed " + seed).isCloseTo(max, within(1e-6));
            assertThat(stream.meanJitterMs()).as("seed " + seed).isCloseTo(sum / samples, within(1e-6));
        }
    }

    /** Whether another number of the same run has come before. */
    private static boolean isConfirmed(List<Arrival> arrivals, int index) {
        Arrival a = arrivals.get(index);
        return arrivals.subList(0, index).stream().anyMatch(b -> b.run() == a.run() && b.number() != a.number());
    }

    @Test
    void doesNotCareWhenTheCodecIsTold() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<Arrival> arrivals = arrivals(random);
            List<Arrival> some = arrivals.subList(0, Math.min(arrivals.size(), WaitingPackets.LIMIT));
            RtpStream early = new RtpStream();
            RtpStream later = new RtpStream();
            early.codec(DYNAMIC, OPUS);
            early.codec(101, new Codec("telephone-event", 8000));
            int reported = random.nextInt(some.size() + 1);
            for (int i = 0; i < some.size(); i++) {
                int payloadType = random.nextInt(8) == 0 ? 101 : random.nextInt(8) == 0 ? 0 : DYNAMIC;
                if (i == reported) {
                    later.codec(DYNAMIC, OPUS);
                }
                feed(early, some.get(i), i, payloadType);
                feed(later, some.get(i), i, payloadType);
                if (random.nextInt(50) == 0) {
                    assertThat(later.jitterMs()).isNotNegative();
                }
            }
            later.codec(DYNAMIC, OPUS);
            later.codec(101, new Codec("telephone-event", 8000));
            assertThat(later.jitterMs()).as("seed " + seed).isEqualTo(early.jitterMs());
            assertThat(later.maxJitterMs()).as("seed " + seed).isEqualTo(early.maxJitterMs());
            assertThat(later.meanJitterMs()).as("seed " + seed).isEqualTo(early.meanJitterMs());
            assertThat(later.skewMs()).as("seed " + seed).isEqualTo(early.skewMs());
            assertThat(later.timestampJumps()).as("seed " + seed).isEqualTo(early.timestampJumps());
            assertThat(later.digits()).as("seed " + seed).isEqualTo(early.digits());
            assertThat(later.untimedPackets()).as("seed " + seed).isZero();
            assertThat(later.payloads()).as("seed " + seed).containsExactlyInAnyOrderElementsOf(early.payloads());
        }
    }

    /** Regular packets are evaluated many at a time; a stream that is asked after each one evaluates each alone. */
    @Test
    void doesNotCareWhenItIsAsked() {
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            List<Arrival> arrivals = seed % 2 == 0 ? arrivals(random) : steady(random);
            RtpStream asked = new RtpStream(JitterBuffer.DEFAULT, true);
            RtpStream unasked = new RtpStream(JitterBuffer.DEFAULT, true);
            for (int i = 0; i < arrivals.size(); i++) {
                feed(asked, arrivals.get(i), i, 0);
                feed(unasked, arrivals.get(i), i, 0);
                assertThat(asked.lastNs()).isEqualTo(arrivals.get(i).arrivalNs());
            }
            assertThat(figures(unasked)).as("seed " + seed).isEqualTo(figures(asked));
        }
    }

    /** Mostly in order, with jitter up to some limit and now and then a stall. */
    private static List<Arrival> steady(Random random) {
        List<Arrival> all = new ArrayList<>();
        int jitterNs = 1 + random.nextInt(1 << 10 + random.nextInt(17));
        int rareEvent = 20 + random.nextInt(2000);
        long sentNs = 1_700_000_000_000_000_000L;
        long number = random.nextInt(65_536);
        for (int i = 0; i < 1500; i++, number++) {
            sentNs += 20_000_000 + (random.nextInt(rareEvent) == 0 ? random.nextInt(300_000_000) : 0);
            if (random.nextInt(rareEvent) == 0) {
                number++;
            }
            long before = all.isEmpty() ? 0 : all.getLast().arrivalNs() + 1000;
            long arrivalNs = Math.max(before, sentNs + random.nextInt(jitterNs));
            all.add(new Arrival(0, number, 0, arrivalNs, (int) (number * 160)));
        }
        return all;
    }

    private static List<Object> figures(RtpStream stream) {
        PlayoutSummary playout = Objects.requireNonNull(stream.playout());
        return List.of(
                stream.packets(),
                stream.lost(),
                stream.duplicates(),
                stream.reordered(),
                stream.payloadOctets(),
                stream.minDeltaMs(),
                stream.maxDeltaMs(),
                stream.jitterMs(),
                stream.maxJitterMs(),
                stream.meanJitterMs(),
                stream.skewMs(),
                stream.timestampJumps(),
                stream.packetTimeMs(),
                stream.payloads(),
                stream.audioPauses(),
                stream.lastAudioNs(),
                stream.intervals(),
                playout.buffer().played(),
                playout.buffer().discarded(),
                playout.buffer().maxDelayMs(),
                playout.buffer().sizeMs(),
                (float) playout.buffer().meanDelayMs());
    }

    @Test
    void staysConsistentWhateverArrives() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RtpStream stream = new RtpStream();
            int number = random.nextInt(65_536);
            for (int i = 0; i < 2000; i++) {
                number += random.nextInt(20) == 0 ? random.nextInt(65_536) : random.nextInt(1200) - 400;
                feed(stream, new Arrival(0, number & 0xffff, 0, i * 1_000_000L, i), i, 0);
                assertThat(stream.distinct() + stream.duplicates() + stream.late() + stream.strays())
                        .isEqualTo(stream.packets());
                assertThat(stream.lost()).as("seed " + seed + " packet " + i).isBetween(0L, stream.expected());
            }
            assertThat(stream.lossBursts().packets()).as("seed " + seed).isEqualTo(stream.lost());
        }
    }
}
