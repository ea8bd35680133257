package io.offhook.linux.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.network.KernelSocket.Kind;
import io.offhook.linux.raw.NativeSocket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class KernelSocketTest {
    private static KernelSocket onPort(int port) {
        List<KernelSocket> found = KernelSocket.udp().stream()
                .filter(socket -> socket.local().endsWith(":" + port))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void reportsWhatWaitsAndWhatWasDropped() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket receiver = new DatagramSocket(null);
                DatagramSocket sender = new DatagramSocket()) {
            receiver.setReceiveBufferSize(10_000);
            receiver.bind(new InetSocketAddress(loopback, 0));
            KernelSocket empty = onPort(receiver.getLocalPort());
            assertThat(empty.memory().receiveBytes()).isZero();
            assertThat(empty.drops()).isZero();
            // the kernel doubles what is asked for
            assertThat(empty.memory().receiveLimit()).isEqualTo(20_000);

            byte[] payload = new byte[200];
            for (int i = 0; i < 1_000; i++) {
                sender.send(new DatagramPacket(payload, payload.length, loopback, receiver.getLocalPort()));
            }
            KernelSocket full = onPort(receiver.getLocalPort());
            assertThat(full.kind()).isIn(Kind.UDP, Kind.UDP6);
            assertThat(full.local()).startsWith("127.0.0.1:");
            assertThat(full.remote()).isEmpty();
            assertThat(full.memory().receiveBytes()).isGreaterThan(10_000);
            assertThat(full.memory().sendLimit()).isPositive();

            int received = 0;
            receiver.setSoTimeout(1);
            try {
                while (received < 1_000) {
                    receiver.receive(new DatagramPacket(payload, payload.length));
                    received++;
                }
            } catch (SocketTimeoutException e) {
                // all that had waited
            }
            assertThat(received).isPositive();
            assertThat(received + full.drops()).isEqualTo(1_000);
        }
    }

    @Test
    void inodeIsThatOfTheDescriptor() {
        try (NativeSocket socket = NativeSocket.open(SockDiag.AF_INET6, 2, 0, "open");
                Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(28, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) SockDiag.AF_INET6);
            address.set(ValueLayout.JAVA_BYTE, 23, (byte) 1);
            socket.bind(address, "bind to ::1");
            String link = link(socket);
            assertThat(KernelSocket.udp())
                    .filteredOn(found -> link.equals("socket:[" + found.owner().inode() + "]"))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.kind()).isEqualTo(Kind.UDP6);
                        assertThat(found.local()).startsWith("[0:0:0:0:0:0:0:1]:");
                    });
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "user.name", matches = "root", disabledReason = "packet sockets need root")
    void packetSocketsAreToldToo() {
        int ethernetAll = 0x0300;
        try (NativeSocket socket = NativeSocket.open(SockDiag.AF_PACKET, 3, ethernetAll, "open")) {
            String link = link(socket);
            assertThat(KernelSocket.packet())
                    .filteredOn(found -> link.equals("socket:[" + found.owner().inode() + "]"))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.kind()).isEqualTo(Kind.PACKET);
                        assertThat(found.interfaceIndex()).isZero();
                        assertThat(found.memory().receiveLimit()).isPositive();
                        assertThat(found.memory().ringBytes()).isZero();
                    });
        }
    }

    private static String link(NativeSocket socket) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + socket.descriptor()))
                    .toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyInterfaceThatSendsHasAQueue() {
        List<QueueingDiscipline> all = QueueingDiscipline.all();
        assertThat(all).allSatisfy(queue -> assertThat(queue.kind()).isNotEmpty());
        NetworkDevice loopback = NetworkDevice.named("lo");
        if (loopback != null && loopback.isUp()) {
            assertThat(all)
                    .filteredOn(queue -> queue.interfaceIndex() == loopback.index())
                    .singleElement()
                    .satisfies(queue -> {
                        assertThat(queue.kind()).isEqualTo("noqueue");
                        assertThat(queue.parent()).isEqualTo(QueueingDiscipline.ROOT);
                        assertThat(queue.drops()).isZero();
                    });
        }
    }
}
