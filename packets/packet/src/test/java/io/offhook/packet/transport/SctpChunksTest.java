package io.offhook.packet.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.offhook.packet.ViewSetter;
import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SctpChunksTest {
    private final SctpChunks chunks = new SctpChunks();

    private MemorySegment wrap(String hex) {
        MemorySegment bytes = GoldenFrame.segment(hex);
        chunks.wrap(bytes, 0, (int) bytes.byteSize());
        return bytes;
    }

    /** RFC 8260, 2.1: the first chunk of a message has its protocol where the others have their number in it. */
    @Test
    void readsMessagesThatAreInterleaved() {
        wrap(
                "40 02 0018 00000001 0002 0000 00000009 0000002e 41424344 40 01 0018 00000002 0002 0000 00000009 00000001 45464748");
        assertThat(chunks.next()).isTrue();
        assertThat(chunks.isData()).isTrue();
        assertThat(chunks.isBeginning()).isTrue();
        assertThat(chunks.isEnding()).isFalse();
        assertThat(chunks.transmissionSequenceNumber()).isEqualTo(1);
        assertThat(chunks.streamId()).isEqualTo(2);
        assertThat(chunks.messageId()).isEqualTo(9);
        assertThat(chunks.streamSequenceNumber()).as("of DATA only").isZero();
        assertThat(chunks.payloadProtocol()).isEqualTo(46);
        assertThat(chunks.dataOffset()).isEqualTo(20);
        assertThat(chunks.dataLength()).isEqualTo(4);
        assertThat(chunks.next()).isTrue();
        assertThat(chunks.isEnding()).isTrue();
        assertThat(chunks.payloadProtocol()).as("not told in the last one").isZero();
        assertThatIllegalStateException().isThrownBy(() -> chunks.payloadProtocol(1));
        assertThat(chunks.next()).isFalse();
    }

    /** RFC 9260, 3.3.4: no more blocks than there are, whatever the count says. */
    @Test
    void readsTheGapsOfASack() {
        wrap("03 00 0018 00000007 00010000 0002 0000 0002 0003 0005 0006");
        assertThat(chunks.next()).isTrue();
        assertThat(chunks.gapBlockCount()).isEqualTo(2);
        assertThat(chunks.gapStart(0)).isEqualTo(2);
        assertThat(chunks.gapEnd(0)).isEqualTo(3);
        assertThat(chunks.gapStart(1)).isEqualTo(5);
        assertThat(chunks.gapEnd(1)).isEqualTo(6);
        assertThat(chunks.gapStart(2) + chunks.gapEnd(-1)).isZero();
        wrap("03 00 0014 00000007 00010000 ffff 0000 0002 0003");
        assertThat(chunks.next()).isTrue();
        assertThat(chunks.gapBlockCount()).isEqualTo(1);
        wrap("03 00 0008 00000007");
        assertThat(chunks.next()).isTrue();
        assertThat(chunks.gapBlockCount()).isZero();
    }

    @Test
    void staysInBoundsOfAnyBytes() {
        Random random = new Random(47);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            for (int i = 0; i + 3 < bytes.length; i += 4 + random.nextInt(16)) { // chunks that make sense, mostly
                bytes[i] = (byte) (random.nextInt(10) == 0 ? 64 : random.nextInt(15));
                bytes[i + 2] = 0;
                bytes[i + 3] &= 31;
            }
            MemorySegment segment = GoldenFrame.segment(bytes);
            chunks.wrap(segment, 0, bytes.length);
            int count = 0;
            while (chunks.next()) {
                count++;
                assertThat(ViewSetter.readAll(chunks)).isNotEmpty();
                chunks.gapEnd(chunks.gapBlockCount() - 1);
                assertThat(chunks.dataOffset() + chunks.dataLength()).isLessThanOrEqualTo(bytes.length);
            }
            assertThat(count).isLessThanOrEqualTo(15);
        }
    }
}
