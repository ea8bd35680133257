package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class CaptureSpanTest {

    /** A filtered source leaves out frames, and the others keep their numbers. */
    @Test
    void knowsTheNumberOfTheLastPacketWhereOthersWereLeftOut() {
        FrameBatch batch = new FrameBatch(4);
        batch.clear(101);
        int segment = batch.addSegment(MemorySegment.NULL);
        for (int i = 0; i < 4; i++) {
            batch.add(segment, 0, 0, 60, 1000 + i, 0, LinkType.ETHERNET);
        }
        batch.retain(new int[] {0, 2}, 2);
        CaptureSpan span = new CaptureSpan();
        assertThat(span.lastNumber()).isZero();
        span.add(batch);
        assertThat(span.lastNumber()).isEqualTo(103);
        assertThat(span.firstNs()).isEqualTo(1000);
        assertThat(span.lastNs()).isEqualTo(1002);
    }
}
