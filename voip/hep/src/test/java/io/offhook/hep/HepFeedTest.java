package io.offhook.hep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HepFeedTest {
    private static final HepAgent AGENT = new HepAgent(1, "", "");

    private static HepPacket packet(byte[] payload) {
        return new HepPacket().payload(HepPayloadType.SIP, payload, 0, payload.length);
    }

    private static byte[] next(HepFeed feed) {
        int length = feed.peek();
        byte[] octets = Arrays.copyOfRange(feed.octets(), feed.offset(), feed.offset() + length);
        feed.release();
        return octets;
    }

    @Test
    void givesPacketsInOrderAroundItsEnd() {
        Random random = new Random(3);
        HepFeed feed = new HepFeed(AGENT, 4096);
        HepWriter writer = new HepWriter(AGENT);
        Deque<byte[]> expected = new ArrayDeque<>();
        int dropped = 0;
        for (int i = 0; i < 50_000; i++) {
            if (random.nextInt(5) < 3) {
                byte[] payload = new byte[random.nextInt(900)];
                random.nextBytes(payload);
                HepPacket packet = packet(payload);
                byte[] octets = new byte[writer.length(packet)];
                writer.write(packet, octets, 0);
                if (feed.offer(packet)) {
                    expected.add(octets);
                } else {
                    dropped++;
                }
            } else if (expected.isEmpty()) {
                assertThat(feed.peek()).isZero();
            } else {
                assertThat(next(feed)).as("seed 3, step %d", i).isEqualTo(expected.remove());
            }
        }
        assertThat(dropped).isPositive();
        assertThat(feed.dropped()).isEqualTo(dropped);
    }

    @Test
    void dropsWhatIsTooLongForItAndCounts() {
        HepFeed feed = new HepFeed(AGENT, 4096);

        assertThat(feed.offer(packet(new byte[3000]))).isFalse();
        assertThat(feed.offer(packet(new byte[100]))).isTrue();
        assertThat(feed.tooLong()).isEqualTo(1);
        assertThat(feed.offered()).isEqualTo(2);
    }

    @Test
    void losesNothingBetweenTwoThreads() throws Exception {
        HepFeed feed = new HepFeed(AGENT, 1 << 14);
        int count = 100_000;
        Thread producer = Thread.ofPlatform().start(() -> {
            byte[] payload = new byte[300];
            for (int i = 0; i < count; i++) {
                Arrays.fill(payload, (byte) i);
                HepPacket packet =
                        new HepPacket().timestampNs(i * 1000L).payload(HepPayloadType.SIP, payload, 0, i % 300);
                while (!feed.offer(packet)) {
                    Thread.onSpinWait();
                }
            }
        });
        for (int i = 0; i < count; i++) {
            while (feed.peek() == 0) {
                Thread.onSpinWait();
            }
            byte[] octets = next(feed);
            for (int at = octets.length - i % 300; at < octets.length; at++) {
                if (octets[at] != (byte) i) {
                    throw new AssertionError("packet " + i + " has a byte of another one at " + at);
                }
            }
        }
        producer.join();
        assertThat(feed.peek()).isZero();
    }
}
