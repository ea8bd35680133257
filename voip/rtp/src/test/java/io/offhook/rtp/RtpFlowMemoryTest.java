package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** A stream goes on; noise does not. */
class RtpFlowMemoryTest {
    private static final long FLOW = 0x8000_1234_5678_9abcL;

    private final RtpFlowMemory flows = new RtpFlowMemory();

    @Test
    void takesALikelyFirstPacketForRtp() {
        assertThat(flows.isRtp(FLOW, 0xdeadbeefL, 65_535, true)).isTrue();
        assertThat(flows.isRtp(FLOW, 0xdeadbeefL, 0, true)).isTrue();
    }

    @Test
    void waitsForASecondPacketWhereTheFirstIsUnlikely() {
        assertThat(flows.isRtp(FLOW, 7, 100, false)).isFalse();
        assertThat(flows.isRtp(FLOW, 7, 101, false)).isTrue();
    }

    @Test
    void goesOnThroughAChangeOfSsrc() {
        for (int i = 0; i < 10; i++) {
            flows.isRtp(FLOW, 7, i, true);
        }
        assertThat(flows.isRtp(FLOW, 8, 40_000, true)).isTrue();
        assertThat(flows.isRtp(FLOW, 8, 40_001, true)).isTrue();
    }

    @Test
    void dropsAFlowThatChangesWithEachPacket() {
        Random random = new Random(1);
        int taken = 0;
        for (int i = 0; i < 100; i++) {
            taken += flows.isRtp(FLOW, random.nextInt() & 0xffff_ffffL, random.nextInt(65_536), true) ? 1 : 0;
        }
        assertThat(taken).isLessThanOrEqualTo(1);
    }
}
