package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class FrameBatchTest {
    private static FrameBatch batch(int count) {
        FrameBatch batch = new FrameBatch(8);
        batch.clear(101);
        batch.addSegment(MemorySegment.NULL);
        for (int i = 0; i < count; i++) {
            batch.add(0, 1000 + i, 10 + i, 20 + i, 30 + i, 40 + i, 50 + i);
        }
        return batch;
    }

    @Test
    void numbersFollowEachOther() {
        FrameBatch batch = batch(3);
        assertThat(batch.number(0)).isEqualTo(101);
        assertThat(batch.number(2)).isEqualTo(103);
    }

    @Test
    void framesThatStayKeepTheirNumbersAndAllElse() {
        FrameBatch batch = batch(8);
        batch.retain(new int[] {1, 2, 6, 99}, 3);
        assertThat(batch.count()).isEqualTo(3);
        assertThat(batch.isFull()).isFalse();
        int[] stayed = {1, 2, 6};
        for (int i = 0; i < 3; i++) {
            int was = stayed[i];
            assertThat(batch.number(i)).isEqualTo(101 + was);
            assertThat(batch.offset(i)).isEqualTo(1000 + was);
            assertThat(batch.capturedLength(i)).isEqualTo(10 + was);
            assertThat(batch.wireLength(i)).isEqualTo(20 + was);
            assertThat(batch.timestampNs(i)).isEqualTo(30 + was);
            assertThat(batch.interfaceIndex(i)).isEqualTo(40 + was);
            assertThat(batch.linkType(i)).isEqualTo(50 + was);
            assertThat(batch.segmentOf(i)).isEqualTo(MemorySegment.NULL);
        }
    }

    @Test
    void framesAreTakenOutTwice() {
        FrameBatch batch = batch(8);
        batch.retain(new int[] {1, 3, 5, 7}, 4);
        batch.retain(new int[] {0, 3}, 2);
        assertThat(batch.number(0)).isEqualTo(102);
        assertThat(batch.number(1)).isEqualTo(108);
        batch.retain(new int[0], 0);
        assertThat(batch.count()).isZero();
    }

    @Test
    void numbersFollowEachOtherAgainAfterClear() {
        FrameBatch batch = batch(4);
        batch.retain(new int[] {3}, 1);
        batch.clear(7);
        batch.add(0, 0, 1, 1, 1, 0, 1);
        assertThat(batch.number(0)).isEqualTo(7);
    }

    @Test
    void theLargestThatAFrameCanHaveComesBackAndDoesNotReachItsNeighbours() {
        FrameBatch batch = new FrameBatch(3);
        MemorySegment first = MemorySegment.ofArray(new byte[1]);
        MemorySegment second = MemorySegment.ofArray(new byte[2]);
        batch.addSegment(first);
        int segment = batch.addSegment(second);
        batch.add(0, 1, 2, 3, 4, 5, 6);
        batch.add(segment, Long.MAX_VALUE, Integer.MAX_VALUE, -1, Long.MIN_VALUE, 65535, 65535);
        batch.direction(FrameDirection.OUTGOING);
        batch.add(0, 1, 2, 3, 4, 5, 6);
        assertThat(batch.segmentOf(1)).isSameAs(second);
        assertThat(batch.offset(1)).isEqualTo(Long.MAX_VALUE);
        assertThat(batch.capturedLength(1)).isEqualTo(Integer.MAX_VALUE);
        assertThat(batch.wireLength(1)).isEqualTo(-1);
        assertThat(batch.timestampNs(1)).isEqualTo(Long.MIN_VALUE);
        assertThat(batch.interfaceIndex(1)).isEqualTo(65535);
        assertThat(batch.linkType(1)).isEqualTo(65535);
        for (int i = 0; i < 3; i += 2) {
            assertThat(batch.segmentOf(i)).isSameAs(first);
            assertThat(batch.offset(i)).isEqualTo(1);
            assertThat(batch.capturedLength(i)).isEqualTo(2);
            assertThat(batch.wireLength(i)).isEqualTo(3);
            assertThat(batch.timestampNs(i)).isEqualTo(4);
            assertThat(batch.interfaceIndex(i)).isEqualTo(5);
            assertThat(batch.linkType(i)).isEqualTo(6);
            assertThat(batch.direction(i)).isEqualTo(FrameDirection.UNKNOWN);
        }
    }

    @Test
    void theDirectionToldLastHoldsAndStaysWithItsFrame() {
        FrameBatch batch = batch(2);
        batch.direction(FrameDirection.OUTGOING);
        batch.direction(FrameDirection.INCOMING);
        assertThat(batch.direction(0)).isEqualTo(FrameDirection.UNKNOWN);
        assertThat(batch.direction(1)).isEqualTo(FrameDirection.INCOMING);
        assertThat(batch.interfaceIndex(1)).isEqualTo(41);
        batch.retain(new int[] {1}, 1);
        assertThat(batch.direction(0)).isEqualTo(FrameDirection.INCOMING);
        batch.direction(FrameDirection.UNKNOWN);
        assertThat(batch.direction(0)).isEqualTo(FrameDirection.UNKNOWN);
        batch.clear(1);
        batch.add(0, 0, 1, 1, 1, 0, 1);
        assertThat(batch.direction(0)).isEqualTo(FrameDirection.UNKNOWN);
    }
}
