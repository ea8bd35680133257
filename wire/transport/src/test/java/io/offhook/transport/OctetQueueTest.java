package io.offhook.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OctetQueueTest {
    private final OctetPool pool = new OctetPool(1 << 20);

    @Test
    void givesBytesBackInOrderWhateverThePieces() {
        Random random = new Random(4);
        OctetQueue queue = new OctetQueue(pool);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 5_000; i++) {
            if (random.nextBoolean()) {
                byte[] piece = new byte[random.nextInt(9_000)];
                random.nextBytes(piece);
                int offset = piece.length == 0 ? 0 : random.nextInt(piece.length);
                queue.append(piece, offset, piece.length - offset);
                in.write(piece, offset, piece.length - offset);
            } else {
                ByteBuffer buffer = ByteBuffer.allocate(1 + random.nextInt(20_000));
                queue.peek(buffer);
                int taken = buffer.position() == 0 ? 0 : random.nextInt(buffer.position() + 1);
                out.write(buffer.array(), 0, taken);
                queue.discard(taken);
            }
            assertThat(queue.length()).isEqualTo(in.size() - out.size());
        }
        ByteBuffer rest = ByteBuffer.allocate(queue.length());
        queue.peek(rest);
        queue.discard(queue.length());
        out.write(rest.array(), 0, rest.position());
        assertThat(out.toByteArray()).isEqualTo(in.toByteArray());
        assertThat(pool.borrowedBytes()).isZero();
    }

    @Test
    void holdsNoBlockWhenItIsEmpty() {
        OctetQueue queue = new OctetQueue(pool);
        queue.append(new byte[4_096], 0, 4_096);
        queue.discard(4_096);
        assertThat(pool.borrowedBytes()).isZero();
        queue.append(new byte[100], 0, 100);
        assertThat(pool.borrowedBytes()).isEqualTo(4_096);
        queue.clear();
        assertThat(pool.borrowedBytes()).isZero();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void heldBytesStayContiguousWhileTheyGrow() {
        HeldOctets held = new HeldOctets(pool);
        byte[] all = new byte[300_000];
        new Random(5).nextBytes(all);
        for (int at = 0; at < all.length; at += 1_000) {
            held.append(all, at, 1_000);
        }
        assertThat(Arrays.copyOf(held.octets(), held.length())).isEqualTo(all);
        held.discard(299_990);
        assertThat(Arrays.copyOf(held.octets(), held.length())).isEqualTo(Arrays.copyOfRange(all, 299_990, 300_000));
        held.discard(10);
        assertThat(held.length()).isZero();
        assertThat(pool.borrowedBytes()).isZero();
    }

    @Test
    void thePoolKeepsNoMoreThanItMay() {
        OctetPool small = new OctetPool(3_000);
        byte[] first = small.borrow(1_024);
        byte[] second = small.borrow(1_025);
        assertThat(first).hasSize(1_024);
        assertThat(second).hasSize(2_048);
        small.giveBack(first);
        small.giveBack(second);
        assertThat(small.borrow(1_000)).isSameAs(first);
        assertThat(small.borrow(2_000)).isNotSameAs(second);
        assertThat(small.borrowedBytes()).isEqualTo(3_072);
    }
}
