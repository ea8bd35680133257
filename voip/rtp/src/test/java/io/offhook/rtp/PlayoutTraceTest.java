package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.rtp.PlayoutTrace.Fate;
import io.offhook.rtp.playout.JitterBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fates of packets against the statistics of the same packets. */
class PlayoutTraceTest {
    private static final long MS = 1_000_000;

    private record Packet(long arrivalNs, int number, int timestamp, int payloadType, boolean marker) {
        RtpView view() {
            ByteBuffer octets = ByteBuffer.allocate(12 + 160);
            octets.put((byte) 0x80).put((byte) (payloadType | (marker ? 0x80 : 0)));
            octets.putShort((short) number).putInt(timestamp).putInt(7);
            RtpView view = new RtpView();
            view.wrap(Octets.of(octets.array()), 0, octets.capacity());
            return view;
        }
    }

    private static List<Packet> packets(Random random) {
        List<Packet> packets = new ArrayList<>();
        int number = random.nextInt(65_536);
        int timestamp = random.nextInt();
        long sentNs = 1_700_000_000_000_000_000L;
        double loss = random.nextInt(3) * 0.04;
        double twice = random.nextInt(3) * 0.03;
        int jitterMs = 1 + random.nextInt(90);
        for (int i = 0; i < 800; i++) {
            int step = 160;
            if (random.nextInt(200) == 0) {
                number += random.nextInt(30_000); // starts over, or an outage
            }
            if (random.nextInt(200) == 0) {
                step = random.nextInt(400_000);
            }
            if (random.nextInt(100) == 0) {
                sentNs += random.nextInt(2000) * MS;
            }
            number++;
            timestamp += step;
            sentNs += 20 * MS;
            int type = random.nextInt(20) == 0 ? new int[] {13, 101, 96}[random.nextInt(3)] : 0;
            long arrivalNs = sentNs + random.nextInt(jitterMs) * MS;
            Packet packet = new Packet(arrivalNs, number & 0xffff, timestamp, type, random.nextInt(40) == 0);
            if (random.nextDouble() >= loss) {
                packets.add(packet);
                if (random.nextDouble() < twice) {
                    packets.add(new Packet(arrivalNs + MS, packet.number, packet.timestamp, type, packet.marker));
                }
            }
        }
        packets.sort(Comparator.comparingLong(Packet::arrivalNs));
        return packets;
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "fixed:60", "fixed:200"})
    void fatesAddUpToTheStatistics(String buffer) {
        for (int seed = 1; seed <= 30; seed++) {
            JitterBuffer setting = Objects.requireNonNull(JitterBuffer.parse(buffer));
            RtpStream known = new RtpStream(setting, false);
            known.codec(101, new Codec("telephone-event", 8000));
            List<Packet> packets = packets(new Random(seed));
            packets.forEach(packet -> known.packet(packet.view(), packet.arrivalNs));
            PlayoutSummary playout = Objects.requireNonNull(known.playout());
            PlayoutTrace trace = new PlayoutTrace(known, -1);
            Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
            for (Packet packet : packets) {
                fates.merge(trace.packet(packet.view(), packet.arrivalNs), 1, Integer::sum);
            }
            assertThat(fates.getOrDefault(Fate.DISCARDED, 0))
                    .as("seed %d", seed)
                    .isEqualTo((int) playout.discarded());
            assertThat(fates.getOrDefault(Fate.PLAYED, 0)).as("seed %d", seed).isEqualTo((int)
                    playout.buffer().played());
            assertThat(trace.statistics().lost()).as("seed %d", seed).isEqualTo(known.lost());
            assertThat(fates.values().stream().mapToInt(Integer::intValue).sum())
                    .as("seed %d", seed)
                    .isEqualTo(packets.size());
        }
    }

    @Test
    void numbersGrowOverWrapsAndWhereTheSenderStartsOver() {
        RtpStream known = new RtpStream();
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int number = (i < 20 ? 65_526 + i : 30_000 + i) & 0xffff;
            packets.add(new Packet(i * 20L * MS, number, i * 160, 0, false));
        }
        packets.forEach(packet -> known.packet(packet.view(), packet.arrivalNs));
        PlayoutTrace trace = new PlayoutTrace(known, -1);
        TreeSet<Long> numbers = new TreeSet<>();
        long before = Long.MIN_VALUE;
        for (Packet packet : packets) {
            Fate fate = trace.packet(packet.view(), packet.arrivalNs);
            if (fate == Fate.PLAYED) {
                assertThat(trace.number()).isGreaterThan(before);
                before = trace.number();
                numbers.add(before);
            }
        }
        assertThat(numbers).hasSize(39); // of the first packet of a new run it is known only with the second
        assertThat(PlayoutTrace.isSameRun(numbers.first(), numbers.last())).isFalse();
    }

    @Test
    void withoutABufferHardlyAnythingIsTooLate() {
        RtpStream known = new RtpStream(JitterBuffer.OFF, false);
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            packets.add(new Packet((i * 20 + (i % 7 == 3 ? 400 : 0)) * MS, i, i * 160, 0, false));
        }
        packets.sort(Comparator.comparingLong(Packet::arrivalNs));
        packets.forEach(packet -> known.packet(packet.view(), packet.arrivalNs));
        PlayoutTrace trace = new PlayoutTrace(known, -1);
        assertThat(packets).allMatch(packet -> trace.packet(packet.view(), packet.arrivalNs) == Fate.PLAYED);
    }
}
