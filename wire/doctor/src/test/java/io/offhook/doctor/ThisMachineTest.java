package io.offhook.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is read here against what sysctl, ss and ip say of the same machine. */
@EnabledOnOs(OS.LINUX)
class ThisMachineTest {
    private static String run(String program, String... arguments) throws IOException, InterruptedException {
        String path = List.of("/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/").stream()
                .map(folder -> folder + program)
                .filter(file -> Files.isExecutable(Path.of(file)))
                .findFirst()
                .orElse("");
        assumeTrue(!path.isEmpty(), program + " is not here");
        List<String> command = new ArrayList<>(List.of(path));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private static SystemTree tree() {
        return new SystemTree(Path.of("/"));
    }

    @Test
    void settingsAreThoseOfSysctl() throws Exception {
        Machine machine = new MachineReader(tree(), new LiveTables()).read(List.of("lo"));
        assertThat(machine.sysctls()).isNotEmpty();
        for (Map.Entry<String, String> setting : machine.sysctls().entrySet()) {
            assertThat(setting.getValue())
                    .as(setting.getKey())
                    .isEqualTo(String.join(" ", Numbers.words(run("sysctl", "-n", setting.getKey()))));
        }
        assertThat(machine.processors())
                .hasSize(Integer.parseInt(run("getconf", "_NPROCESSORS_ONLN").strip()));
        assertThat(machine.kernel()).isEqualTo(run("uname", "-r").strip());
    }

    @Test
    void countersOfInterfacesAreThoseOfIp() throws Exception {
        String said = run("ip", "-s", "-s", "link", "show", "dev", "lo");
        Sample sample = new Sampler(tree(), new LiveTables()).sample(List.of("lo"));
        Matcher received =
                Pattern.compile("RX: +bytes +packets.*\n +(\\d+) +(\\d+)").matcher(said);
        assertThat(received.find()).as(said).isTrue();
        // the loopback may be in use
        assertThat(sample.ofInterface("lo", "rx_packets")).isGreaterThanOrEqualTo(Long.parseLong(received.group(2)));
        assertThat(sample.interfaces().get("lo")).containsKeys("rx_dropped", "rx_missed_errors", "tx_dropped");
        assertThat(sample.softnet()).isNotEmpty();
        assertThat(sample.protocols()).containsKeys("Udp.RcvbufErrors", "Udp.MemErrors", "UDP.mem", "cpu.steal");
    }

    @Test
    void socketThatDropsIsToldAsSsReportsIt() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket receiver = new DatagramSocket(null);
                DatagramSocket sender = new DatagramSocket()) {
            receiver.setReceiveBufferSize(8_000);
            receiver.bind(new InetSocketAddress(loopback, 0));
            Doctor doctor = Doctor.ofThisMachine(List.of("lo"));
            doctor.look();
            byte[] payload = new byte[200];
            for (int i = 0; i < 500; i++) {
                sender.send(new DatagramPacket(payload, payload.length, loopback, receiver.getLocalPort()));
            }
            doctor.look();

            String place = ":" + receiver.getLocalPort() + ", ";
            Loss loss = doctor.growing().stream()
                    .filter(one -> one.subject().contains(place))
                    .findFirst()
                    .orElseThrow();
            assertThat(loss.cause()).isEqualTo(Loss.Cause.SOCKET);
            assertThat(loss.subject())
                    .isEqualTo("UDP 127.0.0.1" + place + "java ("
                            + ProcessHandle.current().pid() + ")");
            assertThat(loss.grown()).isEqualTo(loss.total()).isGreaterThan(400);
            assertThat(doctor.fillingQueues())
                    .anySatisfy(queue -> assertThat(queue.subject()).isEqualTo(loss.subject()));
            assertThat(doctor.report().findings()).anySatisfy(finding -> {
                assertThat(finding.severity()).isEqualTo(Severity.LOSING);
                assertThat(finding.subject()).isEqualTo(loss.subject());
                assertThat(finding.text()).contains(loss.grown() + " of them just now");
            });

            String said = run("ss", "-uamn", "sport", "= :" + receiver.getLocalPort());
            Matcher memory =
                    Pattern.compile("skmem:\\(r(\\d+),rb(\\d+),.*,d(\\d+)\\)").matcher(said);
            assertThat(memory.find()).as(said).isTrue();
            assertThat(memory.group(1)).isEqualTo(Long.toString(loss.waiting()));
            assertThat(memory.group(2)).isEqualTo(Long.toString(loss.limit()));
            assertThat(memory.group(3)).isEqualTo(Long.toString(loss.total()));
        }
    }

    @Test
    void doctorsReportIsWholeHere() {
        Doctor doctor = Doctor.ofThisMachine(List.of());
        doctor.look();
        DoctorReport report = doctor.report();
        assertThat(report.findings()).extracting(Finding::id).contains("kernel", "socket-drops");
        assertThat(report.findings())
                .allSatisfy(finding -> assertThat(finding.text()).isNotBlank());
    }

    /** A copy of the files tells the same of what files tell, and says what it cannot. */
    @Test
    void copyIsReadAsTheMachineIs(@TempDir Path folder) throws IOException {
        for (String path :
                List.of("/proc/sys/net/core/rmem_max", "/proc/net/softnet_stat", "/proc/sys/kernel/osrelease")) {
            Path target = folder.resolve(path.substring(1));
            Files.createDirectories(target.getParent());
            Files.writeString(target, Files.readString(Path.of(path)));
        }
        Doctor doctor = Doctor.ofCopy(folder, List.of());
        doctor.look();
        DoctorReport report = doctor.report();
        assertThat(report.findings()).extracting(Finding::id).contains("kernel", "receive-buffer-max");
        assertThat(report.unread())
                .extracting(Unread::what)
                .contains("how much UDP sockets may hold", "UDP errors over IPv4", "net.core.rmem_default");
    }
}
