package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SipBufferPoolTest {
    @Test
    void saysWhatIsWrongWithItsLimit() {
        assertThatThrownBy(() -> new SipBufferPool(1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000")
                .hasMessageContaining("262144");
    }

    @Test
    void lendsBuffersAgainAndStaysBelowItsLimit() {
        SipBufferPool pool = new SipBufferPool(300_000);
        byte[] large = Objects.requireNonNull(pool.borrow(SipBufferPool.MESSAGE_LIMIT));
        assertThat(pool.borrow(1)).isNotNull();
        assertThat(pool.borrow(60_000)).isNull();
        assertThat(pool.refusals()).isEqualTo(1);
        pool.giveBack(large);

        assertThat(pool.borrow(60_000)).as("a larger one serves too").isSameAs(large);
        assertThat(pool.allocatedBytes()).isEqualTo(SipBufferPool.MESSAGE_LIMIT + 4096);
    }

    @Test
    void gathersShiftsAndUnmasksAsAnArrayWould() {
        Random random = new Random(3);
        GatherBuffer buffer = new GatherBuffer(new SipBufferPool(1 << 20));
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            String piece = "x" + random.nextInt() + "y".repeat(random.nextInt(100));
            int key = random.nextInt();
            byte[] masked = new byte[piece.length()];
            for (int j = 0; j < masked.length; j++) {
                masked[j] = (byte) (piece.charAt(j) ^ key >>> 24 - 8 * (j & 3));
            }
            if (random.nextBoolean()) {
                assertThat(buffer.append(Native.octets(piece), 0, piece.length()))
                        .isTrue();
            } else {
                assertThat(buffer.appendUnmasked(masked, 0, masked.length, key)).isTrue();
            }
            expected.append(piece);
            if (random.nextInt(20) == 0) {
                int bytes = random.nextInt(expected.length() + 1);
                buffer.shift(bytes);
                expected.delete(0, bytes);
            }
            assertThat(Native.string(buffer.octets(), 0, buffer.length())).isEqualTo(expected.toString());
        }
        assertThat(buffer.append(new byte[300_000], 0, 300_000)).isFalse();
        assertThat(buffer.length()).isEqualTo(expected.length());
    }
}
