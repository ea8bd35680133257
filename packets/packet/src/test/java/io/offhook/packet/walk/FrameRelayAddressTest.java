package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.link.FrameRelayView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Addresses of Q.922 have two to four bytes; the last one has the lowest bit set. */
class FrameRelayAddressTest {
    private static final int BYTES = 10;

    private final PacketWalker walker = new PacketWalker();
    private final FrameRelayView view = new FrameRelayView();

    /** A frame whose address byte {@code i} has the lowest bit set if bit {@code i} is; an EtherType follows. */
    private static MemorySegment frame(Arena arena, int ends) {
        MemorySegment frame = arena.allocate(BYTES);
        frame.fill((byte) 0x08);
        for (int i = 0; i < 4; i++) {
            frame.set(ValueLayout.JAVA_BYTE, i, (byte) (0x18 | ends >>> i & 1));
        }
        return frame;
    }

    @Test
    void walkerAndViewAgreeOnTheAddress() {
        try (Arena arena = Arena.ofConfined()) {
            for (int ends = 0; ends < 16; ends++) {
                MemorySegment frame = frame(arena, ends);
                for (int length = 0; length <= BYTES; length++) {
                    WrapStatus status = view.wrap(frame, 0, length);
                    walker.walk(frame, 0, length, BYTES, LinkType.FRAME_RELAY);
                    PacketWalker.Stop stop = walker.stop();
                    assertThat(stop == PacketWalker.Stop.MALFORMED)
                            .as("ends %d, length %d: %s, %s", ends, length, status, stop)
                            .isEqualTo(status == WrapStatus.MALFORMED);
                    assertThat(walker.has(LayerType.FRAME_RELAY))
                            .as("ends %d, length %d: %s, %s", ends, length, status, stop)
                            .isEqualTo(status == WrapStatus.OK);
                }
            }
        }
    }

    @Test
    void anAddressOfOneByteIsMalformed() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment frame = frame(arena, 0b0001);
            assertThat(view.wrap(frame, 0, BYTES)).isEqualTo(WrapStatus.MALFORMED);
            walker.walk(frame, 0, BYTES, BYTES, LinkType.FRAME_RELAY);
            assertThat(walker.stop()).isEqualTo(PacketWalker.Stop.MALFORMED);
        }
    }
}
