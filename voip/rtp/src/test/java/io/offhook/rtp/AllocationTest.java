package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What runs for every packet does not allocate. */
class AllocationTest {
    private static final OneRow ROW = new OneRow();

    private static final int PACKETS = 100_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long sink;

    /** What the intervals of a stream that loses packets grow by, in octets: there is one for 250 packets. */
    private static final int LOSSY_INTERVAL = 256;

    private void assertAllocatesNothing(Runnable packets) {
        assertAllocatesAtMost(PACKETS / 10, packets);
    }

    private void assertAllocatesAtMost(long octets, Runnable packets) {
        packets.run();
        packets.run();
        long thread = Thread.currentThread().threadId();
        long before = threads.getThreadAllocatedBytes(thread);
        packets.run();
        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        // a few hundred octets may come from the JVM itself; a single allocation a packet would be a thousand times
        // that
        assertThat(allocated).isLessThan(octets);
    }

    @Test
    void countsCleanPacketsWithoutAllocating() {
        RtpStream stream = new RtpStream();
        int[] next = {0};
        assertAllocatesNothing(() -> {
            for (int i = 0; i < PACKETS; i++) {
                int n = next[0]++;
                ROW.packet(stream, n * 20_000_000L, n & 0xffff, n * 160L & 0xffff_ffffL, 0, n == 0, 160, n, n & 0xffff);
            }
        });
        assertThat(stream.lost()).isZero();
        assertThat(stream.packets()).isEqualTo(3L * PACKETS);
    }

    @Test
    void takesFewOctetsForACleanStream() {
        RtpStream[] streams = new RtpStream[1000];
        clean(streams); // loads and links what is needed once
        long thread = Thread.currentThread().threadId();
        long before = threads.getThreadAllocatedBytes(thread);
        clean(streams);
        long octets = (threads.getThreadAllocatedBytes(thread) - before) / streams.length;
        assertThat(octets).isBetween(200L, 1440L);
    }

    private static void clean(RtpStream[] streams) {
        for (int s = 0; s < streams.length; s++) {
            streams[s] = new RtpStream();
            for (int i = 0; i < 100; i++) {
                ROW.packet(streams[s], i * 20_000_000L, i, i * 160L, 8, i == 0, 160, i, i);
            }
        }
    }

    @Test
    void countsIrregularPacketsWithoutAllocating() {
        RtpStream stream = new RtpStream();
        int[] next = {0};
        assertAllocatesAtMost(PACKETS / 250 * LOSSY_INTERVAL, () -> {
            for (int i = 0; i < PACKETS; i++) {
                int n = next[0]++;
                int number = n % 50 == 7 ? n - 3 : n % 90 == 11 ? n - 1 : n;
                int type = n % 200 == 0 ? 8 : 0;
                ROW.packet(
                        stream,
                        n * 20_000_000L,
                        number & 0xffff,
                        number * 160L,
                        type,
                        false,
                        160,
                        number,
                        number & 0xffff);
            }
        });
        assertThat(stream.duplicates()).isPositive();
        assertThat(stream.lost()).isPositive();
    }

    @Test
    void countsAsWiresharkWithoutAllocating() {
        WiresharkStream stream = new WiresharkStream(0);
        int[] next = {0};
        assertAllocatesNothing(() -> {
            for (int i = 0; i < PACKETS; i++) {
                int n = next[0]++;
                ROW.packet(stream, n * 20_000_000L, n & 0xffff, n * 160L & 0xffff_ffffL, 0, false, 172, false, null);
            }
        });
        assertThat(stream.lost()).isZero();
    }

    @Test
    void recognisesAndReadsWithoutAllocating() {
        MemorySegment packet = Octets.of("90 08 1234 00000fa0 deadbeef bede 0001 10 aa 00 00 1122334455667788");
        MemorySegment compound = Octets.of(RtcpReaderTest.SENDER_REPORT + RtcpReaderTest.DESCRIPTION);
        RtpView rtp = new RtpView();
        RtpExtensionReader extensions = new RtpExtensionReader();
        RtcpReader reader = new RtcpReader();
        RtcpView rtcp = new RtcpView();
        assertAllocatesNothing(() -> {
            for (int i = 0; i < PACKETS; i++) {
                sink += RtpView.isPlausible(packet, 0, Octets.length(packet)) ? 1 : 0;
                sink += RtcpReader.isPlausible(compound, 0, Octets.length(compound)) ? 1 : 0;
                sink += rtp.wrap(packet, 0, Octets.length(packet)) == WrapStatus.OK ? rtp.payloadHead() : 0;
                extensions.wrap(rtp);
                while (extensions.next()) {
                    sink += extensions.id();
                }
                reader.wrap(compound, 0, Octets.length(compound));
                while (reader.next(rtcp) == WrapStatus.OK) {
                    sink += rtcp.packetType();
                }
            }
        });
        assertThat(sink).isNotZero();
    }
}
