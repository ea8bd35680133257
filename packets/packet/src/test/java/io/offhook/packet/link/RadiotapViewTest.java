package io.offhook.packet.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RadiotapViewTest {
    private final RadiotapView radiotap = new RadiotapView();

    /** Flags, hopping and signal; tshark reads a signal of -42 dBm from these bytes. */
    @Test
    void alignsTheHoppingFieldToTwoBytes() {
        MemorySegment header = GoldenFrame.segment("00 00 1000 32000000 00 77 1122 d6 000000");
        assertThat(radiotap.wrap(header, 0, 16)).isEqualTo(WrapStatus.OK);
        assertThat(radiotap.signal()).isEqualTo(-42);
        assertThat(radiotap.hasNoise()).isFalse();
    }

    /** A word of presence bits says whether another one follows: there may be thousands of them before the first field. */
    @Test
    void findsAFieldBehindManyWordsOfPresenceBits() {
        int words = 10_000;
        byte[] bytes = new byte[8 + 4 * words + 8];
        bytes[2] = (byte) bytes.length;
        bytes[3] = (byte) (bytes.length >>> 8);
        bytes[4] = 0x02; // flags
        for (int i = 0; i < words; i++) {
            bytes[4 + 4 * i + 3] = (byte) 0x80;
        }
        bytes[8 + 4 * words] = 0x10;
        MemorySegment header = GoldenFrame.segment(bytes);
        assertThat(radiotap.wrap(header, 0, bytes.length)).isEqualTo(WrapStatus.OK);
        assertThat(radiotap.hasFlags()).isTrue();
        assertThat(radiotap.flags()).isEqualTo(0x10);
        assertThat(radiotap.flags(0x20).flags()).isEqualTo(0x20);
    }
}
