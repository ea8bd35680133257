package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.KeptMachine.container;
import static io.offhook.doctor.KeptMachine.outOfTheBox;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets' queues. */
class SocketRulesTest {
    @TempDir
    Path folder;

    @Test
    void socketThatDroppedIsNamedWithItsOwner() {
        KeptMachine machine = outOfTheBox(folder).socket(180_000, 212_992, 4711);
        Finding socket = only(machine.report(), "socket-drops");
        assertThat(socket.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(socket.subject()).isEqualTo("UDP 0.0.0.0:5060, of user 998");
        assertThat(socket.text())
                .startsWith("4,711 lost (drops); 180,000 of 212,992 bytes wait; it has the default buffer: raise the"
                        + " default");
        assertThat(commands(socket))
                .containsExactly("sysctl -w net.core.rmem_max=16777216", "sysctl -w net.core.rmem_default=4194304");
        // the default is what lost them
        assertThat(only(machine.report(), "receive-buffer-default").severity()).isEqualTo(Severity.WOULD_LOSE);
        // 4,711 of the 151,204 that UDP counted
        assertThat(only(machine.report(), "udp-receive-buffer").text()).contains("4,711 by sockets that still exist");
    }

    @Test
    void socketWithALargeBufferHasAProgramThatIsTooSlow() {
        Finding socket = only(tuned(folder).socket(0, 33_554_432, 12).report(), "socket-drops");
        assertThat(socket.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(socket.text()).contains("the program is too slow or busy with other work");
        assertThat(socket.remedies()).isEmpty();
    }

    @Test
    void queueThatIsFullIsToldBeforeItDrops() {
        Finding full = only(tuned(folder).socket(4_000_000, 4_194_304, 0).report(), "socket-queue");
        assertThat(full.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(full.text()).startsWith("its queue is 95 % full: 4,000,000 of 4,194,304 bytes");
        assertThat(only(tuned(folder).socket(2_200_000, 4_194_304, 0).report(), "socket-queue")
                        .severity())
                .isEqualTo(Severity.ADVICE);
    }

    @Test
    void sniffersAreToldByTheirInterface() {
        KernelSocket withRing = new KernelSocket(
                Kind.PACKET,
                "",
                "",
                2,
                new KernelSocket.Owner(71, 0),
                new KernelSocket.Memory(0, 212_992, 0, 212_992, 64 << 20),
                0);
        KernelSocket withoutRing = new KernelSocket(
                Kind.PACKET,
                "",
                "",
                0,
                new KernelSocket.Owner(72, 0),
                new KernelSocket.Memory(0, 212_992, 0, 212_992, 0),
                9);
        DoctorReport report =
                tuned(folder).sockets(List.of(withRing, withoutRing)).report();
        Finding ring = only(report, "packet-ring");
        assertThat(ring.severity()).isEqualTo(Severity.FINE);
        assertThat(ring.subject()).isEqualTo("packet socket on ens1f0, of user 0");
        assertThat(ring.text()).startsWith("a ring of 67,108,864 bytes; the kernel reports drops of a ring");
        assertThat(only(report, "socket-drops").subject()).isEqualTo("packet socket on all interfaces, of user 0");
    }

    @Test
    void manySocketsAreToldTogether() {
        List<KernelSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sockets.add(new KernelSocket(
                    Kind.UDP,
                    "192.0.2.1:" + (10_000 + i),
                    "",
                    0,
                    new KernelSocket.Owner(100 + i, 0),
                    new KernelSocket.Memory(0, 212_992, 0, 0, 0),
                    1 + i));
        }
        List<Finding> found = tuned(folder).sockets(sockets).report().findings().stream()
                .filter(one -> one.id().equals("socket-drops"))
                .toList();
        assertThat(found).hasSize(21);
        assertThat(found.getFirst().subject()).startsWith("UDP 192.0.2.1:10099,");
        // 1 to 80
        assertThat(found.getLast().text()).isEqualTo("80 more sockets dropped 3,240 packets");
        assertThat(found.getLast().why()).isNotEmpty();
    }

    @Test
    void socketsOfTheTableWhereTheKernelIsNotAsked() {
        List<Finding> drops = container(folder).report().findings().stream()
                .filter(one -> one.id().equals("socket-drops"))
                .toList();
        assertThat(drops)
                .extracting(Finding::subject)
                .containsExactly("UDP 0.0.0.0:5060, of user 998", "UDP [2001:db8:0:0:0:0:ff00:1]:5060, of user 0");
        // how much they may hold is not told there
        assertThat(drops.getFirst().setting()).isNull();
    }
}
