package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.ids;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import io.offhook.linux.network.QueueingDiscipline;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was lost, and whether just now, by the counters of two looks. */
class LossesTest {
    @TempDir
    Path folder;

    @Test
    void countersThatGrowAreLossesOfNow() {
        KeptMachine machine = tuned(folder).socket(0, 33_554_432, 100).queue("pfifo_fast", 0, 10);
        machine.doctor().look();
        machine.socket(33_000_000, 33_554_432, 350)
                .queue("pfifo_fast", 900, 25)
                .write("/sys/class/net/ens1f0/statistics/rx_missed_errors", "77\n")
                .write("/proc/net/softnet_stat", "0a3fc1d2 00000005 00000002" + " 00000000".repeat(9) + " 00000000\n");
        machine.doctor().look();

        DoctorReport report = machine.doctor().report();
        assertThat(ids(report, Severity.LOSING)).containsExactly("socket-drops", "backlog", "card-drops", "send-queue");
        assertThat(only(report, "socket-drops").text())
                .startsWith("350 lost (drops), 250 of them just now; 33,000,000");
        assertThat(only(report, "send-queue").subject()).isEqualTo("ens1f0, pfifo_fast");
        assertThat(commands(only(report, "send-queue"))).containsExactly("ip link set dev ens1f0 txqueuelen 10000");
        assertThat(machine.doctor().growing())
                .extracting(Loss::cause, Loss::grown)
                .containsExactly(
                        tuple(Loss.Cause.SOCKET, 250L),
                        tuple(Loss.Cause.BACKLOG, 5L),
                        tuple(Loss.Cause.CARD, 77L),
                        tuple(Loss.Cause.QUEUEING, 15L));
        assertThat(machine.doctor().fillingQueues())
                .containsExactly(
                        new QueueLevel("UDP 0.0.0.0:5060, of user 998", 0, 33_000_000, 33_554_432, "bytes"),
                        new QueueLevel("ens1f0, pfifo_fast", 0, 900, 0, "packets"));
    }

    @Test
    void sendQueuesAreThoseOfTheInterfacesThatAreLookedAt() {
        KeptMachine machine = tuned(folder);
        Doctor doctor = new Doctor(new SystemTree(machine.root()), machine, List.of("lo"));
        machine.queue("pfifo_fast", 0, 10);
        doctor.look();
        machine.queue("pfifo_fast", 5, 20);
        doctor.look();
        assertThat(doctor.growing()).isEmpty();
        assertThat(doctor.fillingQueues()).isEmpty();
        assertThat(doctor.report().findings()).extracting(Finding::id).doesNotContain("send-queue");
        // of an interface that came since, its number is told
        machine.queues(new QueueingDiscipline(77, "pfifo_fast", 0, QueueingDiscipline.ROOT, 5, 0, 9));
        doctor.look();
        assertThat(doctor.growing()).extracting(Loss::subject).containsExactly("interface 77, pfifo_fast");
    }

    @Test
    void whatSocketsToldIsNotToldAgainByUdp() {
        String snmp = "Udp: InDatagrams RcvbufErrors\nUdp: 9 %d\n";
        KeptMachine machine = tuned(folder).socket(0, 33_554_432, 100).write("/proc/net/snmp", snmp.formatted(100));
        machine.doctor().look();
        machine.socket(0, 33_554_432, 150).write("/proc/net/snmp", snmp.formatted(150));
        machine.doctor().look();
        assertThat(machine.doctor().growing()).extracting(Loss::cause).containsExactly(Loss.Cause.SOCKET);
        // 20 more are of a socket that has gone
        machine.write("/proc/net/snmp", snmp.formatted(170));
        machine.doctor().look();
        assertThat(machine.doctor().growing()).extracting(Loss::cause).containsExactly(Loss.Cause.UDP_RECEIVE);
        // 5 of a socket that is there, 20 of one that has gone
        machine.socket(0, 33_554_432, 155).write("/proc/net/snmp", snmp.formatted(195));
        machine.doctor().look();
        assertThat(machine.doctor().growing())
                .extracting(Loss::cause, Loss::grown)
                .containsExactly(tuple(Loss.Cause.SOCKET, 5L), tuple(Loss.Cause.UDP_RECEIVE, 20L));
    }

    /** They are asked one after the other, and drops go on meanwhile. */
    @Test
    void whatSocketsToldBeforeUdpDidIsNotToldAgainAtTheNextLook() {
        String snmp = "Udp: InDatagrams InErrors RcvbufErrors\nUdp: 9 %1$d %1$d\n";
        KeptMachine machine = tuned(folder).socket(0, 33_554_432, 100).write("/proc/net/snmp", snmp.formatted(100));
        machine.doctor().look();
        machine.socket(0, 33_554_432, 150).write("/proc/net/snmp", snmp.formatted(140));
        machine.doctor().look();
        assertThat(machine.doctor().growing())
                .extracting(Loss::cause, Loss::grown)
                .containsExactly(tuple(Loss.Cause.SOCKET, 50L));
        machine.write("/proc/net/snmp", snmp.formatted(150));
        machine.doctor().look();
        assertThat(machine.doctor().growing()).isEmpty();
        // 7 of a socket that has gone
        machine.write("/proc/net/snmp", snmp.formatted(157));
        machine.doctor().look();
        assertThat(machine.doctor().growing())
                .extracting(Loss::cause, Loss::grown)
                .containsExactly(tuple(Loss.Cause.UDP_RECEIVE, 7L));
    }

    /** A sniffer's drops are no datagrams: they do not explain what UDP lost. */
    @Test
    void whatSniffersLostDoesNotHideWhatUdpLost() {
        String snmp = "Udp: InDatagrams RcvbufErrors\nUdp: 9 %d\n";
        KeptMachine machine = tuned(folder).sockets(List.of(sniffer(100))).write("/proc/net/snmp", snmp.formatted(10));
        machine.doctor().look();
        machine.sockets(List.of(sniffer(900))).write("/proc/net/snmp", snmp.formatted(30));
        machine.doctor().look();
        assertThat(machine.doctor().growing())
                .extracting(Loss::cause, Loss::grown)
                .containsExactly(tuple(Loss.Cause.PACKET_SOCKET, 800L), tuple(Loss.Cause.UDP_RECEIVE, 20L));
        DoctorReport report = machine.doctor().report();
        assertThat(only(report, "udp-receive-buffer").severity()).isEqualTo(Severity.LOSING);
        assertThat(only(report, "socket-drops").text()).startsWith("900 lost (drops), 800 of them just now");
    }

    @Test
    void fewDropsOfAnInterfaceMayBeChatter() {
        KeptMachine machine = tuned(folder);
        machine.doctor().look();
        machine.write("/sys/class/net/ens1f0/statistics/rx_packets", "982223411\n")
                .write("/sys/class/net/ens1f0/statistics/rx_dropped", "1\n");
        machine.doctor().look();
        assertThat(only(machine.doctor().report(), "interface-receive-drops").severity())
                .isEqualTo(Severity.HAS_LOST);
        machine.write("/sys/class/net/ens1f0/statistics/rx_packets", "982223511\n")
                .write("/sys/class/net/ens1f0/statistics/rx_dropped", "60\n");
        machine.doctor().look();
        assertThat(only(machine.doctor().report(), "interface-receive-drops").severity())
                .isEqualTo(Severity.LOSING);
    }

    private static KernelSocket sniffer(long drops) {
        return new KernelSocket(
                Kind.PACKET,
                "",
                "",
                0,
                new KernelSocket.Owner(72, 0),
                new KernelSocket.Memory(0, 212_992, 0, 212_992, 0),
                drops);
    }
}
