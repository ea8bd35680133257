package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
public class RehearsalTest {
    private static final long WINDOW_NS = 50_000_000L;

    /** How many windows it takes, of so much work each. */
    private static int windows(long... work) {
        AtomicLong nowNs = new AtomicLong();
        Rehearsal.Pace pace = new Rehearsal.Pace(nowNs::get, Rehearsal.MAX_NS);
        long done = 0;
        int window = 0;
        do {
            done += work[Math.min(window, work.length - 1)];
            window++;
            nowNs.addAndGet(WINDOW_NS);
        } while (!pace.isOver(done));
        return window;
    }

    @Test
    void endsOnceItGetsNoFaster() {
        assertThat(windows(100)).isEqualTo(10);
        assertThat(windows(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)).isEqualTo(16);
    }

    @Test
    void endsThoughItGetsFasterAndFaster() {
        long[] work = new long[60];
        for (int i = 0; i < work.length; i++) {
            work[i] = Math.round(1_000 * Math.pow(1.2, i));
        }
        assertThat(windows(work)).isEqualTo(20);
    }

    @Test
    void endsAtOnceWhereALoopStandsStill() {
        AtomicLong nowNs = new AtomicLong(7);
        Rehearsal.Pace pace = new Rehearsal.Pace(nowNs::get, Rehearsal.MAX_NS);
        nowNs.addAndGet(WINDOW_NS - 1);
        assertThat(pace.isOver(1)).isFalse();
        nowNs.addAndGet(40 * WINDOW_NS);
        assertThat(pace.isOver(1)).isTrue();
        assertThat(pace.isSteady()).isFalse();
        assertThat(pace.tookNs()).isEqualTo(41 * WINDOW_NS - 1);
    }

    @Test
    void handsOverPacketsThatAreWhole() {
        try (Rehearsal source = new Rehearsal()) {
            deliversWholePackets(source);
        }
    }

    /** Reads a rehearsal to its end. */
    public static void deliversWholePackets(Rehearsal source) {
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(500);
        long count = 0;
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                walker.walk(
                        batch.segmentOf(i),
                        batch.offset(i),
                        batch.capturedLength(i),
                        batch.wireLength(i),
                        LinkType.ETHERNET);
                assertThat(walker.stop()).isEqualTo(PacketWalker.Stop.COMPLETE);
            }
            count += batch.count();
        }
        assertThat(count).isPositive().isEqualTo(source.frames());
        assertThat(source.counts()).isEqualTo(new LiveCounts(count, count, 0, 0, 0, 0));
        assertThat(source.faults()).isEmpty();
    }
}
