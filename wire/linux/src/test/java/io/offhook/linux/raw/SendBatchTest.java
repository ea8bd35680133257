package io.offhook.linux.raw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.libc.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SendBatchTest {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int EMSGSIZE = 90;
    private static final int MSG_DONTWAIT = 0x40;

    private static MemorySegment loopback(Arena arena, int port) {
        MemorySegment address = arena.allocate(16, 4);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
        address.set(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) port);
        address.set(ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 4, 0x7f00_0001);
        return address;
    }

    private static void connect(int descriptor, MemorySegment address) {
        try {
            int result = (int) CLibrary.function("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT)
                    .invokeExact(CLibrary.state(), descriptor, address, (int) address.byteSize());
            assertThat(result).isZero();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** A datagram socket that is bound to an address may send to nobody yet: the kernel says so for the first message. */
    @Test
    void reportsWhyTheFirstMessageWasNotTaken() {
        try (Arena arena = Arena.ofConfined();
                NativeSocket socket = NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open");
                SendBatch batch = new SendBatch(2)) {
            socket.bind(loopback(arena, 0), "bind");
            batch.add(arena.allocate(10).address(), 10);
            assertThat(batch.send(socket, 0)).isNegative();
        }
    }

    @Test
    void sendsAllInOrderByOneCall() throws IOException {
        try (Arena arena = Arena.ofConfined();
                NativeSocket from = NativeSocket.open(1, SOCK_DGRAM, 0, "open");
                NativeSocket to = NativeSocket.open(1, SOCK_DGRAM, 0, "open");
                SendBatch batch = new SendBatch(3)) {
            // a name of the abstract kind, which is in no file system
            byte[] name = ("\0\0\0offhook-" + ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            MemorySegment address = arena.allocate(name.length, 4);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, 0, name.length);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
            to.bind(address, "bind");
            connect(from.descriptor(), address);
            MemorySegment bytes = arena.allocate(64);
            for (int i = 0; i < 3; i++) {
                bytes.set(JAVA_BYTE, i * 16L, (byte) ('a' + i));
                batch.add(bytes.address() + i * 16L, 1 + i);
            }
            assertThatThrownBy(() -> batch.add(0, 1)).isInstanceOf(IllegalStateException.class);
            assertThat(batch.send(from, 0)).isEqualTo(3);
            MemorySegment got = arena.allocate(16);
            for (int i = 0; i < 3; i++) {
                assertThat(to.receive(got, MSG_DONTWAIT)).isEqualTo(1 + i);
                assertThat(got.get(JAVA_BYTE, 0)).isEqualTo((byte) ('a' + i));
            }
            assertThat(batch.send(from, 2)).isEqualTo(1);
            assertThatThrownBy(() -> batch.send(from, 3)).isInstanceOf(IndexOutOfBoundsException.class);
            batch.clear();
            batch.add(arena.allocate(1 << 20).address(), 1 << 20);
            assertThat(batch.send(from, 0)).isEqualTo(-EMSGSIZE);
        }
    }
}
