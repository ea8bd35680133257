package io.offhook.live.libpcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.filter.BpfProgram;
import io.offhook.live.IdleStrategy;
import io.offhook.live.RingSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a loop that does not end cannot be interrupted
class LibpcapDriverTest {
    private static final int FRAMES = 16;

    /** An interface on which the next packet has always arrived, each of zeros; libpcap itself filters nothing. */
    private static final class BusyHandle implements PacketHandle {
        private long packets;

        @Override
        public List<String> warnings() {
            return List.of();
        }

        @Override
        public int descriptor() {
            return -1;
        }

        @Override
        public int dataLink() {
            return LinkType.ETHERNET;
        }

        @Override
        public void filter(BpfProgram program) {}

        @Override
        public int next() {
            packets++;
            return 1;
        }

        @Override
        public int capturedLength() {
            return 60;
        }

        @Override
        public int wireLength() {
            return 60;
        }

        @Override
        public long timestampNs() {
            return Long.MAX_VALUE; // after any stop
        }

        @Override
        public void copyTo(MemorySegment target, long offset, int length) {
            target.asSlice(offset, length).fill((byte) 0);
        }

        @Override
        public String error() {
            return "";
        }

        @Override
        public boolean readStatistics() {
            return false;
        }

        @Override
        public int dropped() {
            return 0;
        }

        @Override
        public int droppedByInterface() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private final BusyHandle handle = new BusyHandle();

    private RingSource source(String expression) {
        return new RingSource(new LibpcapDriver(LibpcapOptions.of("busy"), handle, expression), IdleStrategy.PARK);
    }

    @Test
    void returnsThoughTheFilterRejectsEveryPacketOfABusyInterface() {
        try (RingSource source = source("udp port 5060")) {
            FrameBatch batch = new FrameBatch(FRAMES);
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isZero();
            // before and after it waited
            assertThat(handle.packets).isEqualTo(2 * FRAMES);
            assertThat(source.counts().filtered()).isEqualTo(2 * FRAMES);
        }
    }

    @Test
    void stopsThoughTheFilterRejectsEveryPacketOfABusyInterface() {
        try (RingSource source = source("udp port 5060")) {
            FrameBatch batch = new FrameBatch(FRAMES);
            assertThat(source.next(batch)).isTrue();
            source.stop();
            while (source.next(batch)) {
                assertThat(batch.count()).isZero();
            }
        }
    }

    @Test
    void fillsABatchWithPacketsThatTheFilterWants() {
        try (RingSource source = source("ether[0] == 0")) {
            FrameBatch batch = new FrameBatch(FRAMES);
            assertThat(source.next(batch)).isTrue();
            assertThat(batch.count()).isEqualTo(FRAMES);
        }
    }
}
