package io.offhook.linux.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.linux.LinuxException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NativeSocketTest {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int MSG_DONTWAIT = 0x40;

    @Test
    void setsAndReportsOptions() {
        try (NativeSocket socket = NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open")) {
            assertThat(socket.get(SOL_SOCKET, SO_REUSEADDR, "ask")).isZero();
            socket.set(SOL_SOCKET, SO_REUSEADDR, 1, "set");
            assertThat(socket.get(SOL_SOCKET, SO_REUSEADDR, "ask")).isEqualTo(1);
        }
    }

    @Test
    void saysWhichCallWasRefusedAndWhy() {
        assertThatThrownBy(() -> NativeSocket.open(12345, 1, 0, "open a socket of no family"))
                .isInstanceOf(LinuxException.class)
                .hasMessage("open a socket of no family: EAFNOSUPPORT, Address family not supported by protocol")
                .extracting(e -> ((LinuxException) e).errno())
                .isEqualTo(LinuxException.EAFNOSUPPORT);
    }

    @Test
    void answersWithANegativeErrnoWhereNothingIsThere() {
        try (NativeSocket socket = NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open");
                Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(16);
            assertThat(socket.receive(room, MSG_DONTWAIT)).isEqualTo(-LinuxException.EAGAIN);
        }
    }

    @Test
    void leavesNoDescriptorOpen() throws IOException {
        NativeSocket socket = NativeSocket.open(AF_INET, SOCK_DGRAM, 0, "open");
        Path descriptor = Path.of("/proc/self/fd/" + socket.descriptor());
        String target = Files.readSymbolicLink(descriptor).toString();
        assertThat(target).startsWith("socket:");

        socket.close();
        socket.close();

        assertThat(Files.exists(descriptor)
                        && Files.readSymbolicLink(descriptor).toString().equals(target))
                .isFalse();
    }
}
