package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.ids;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.Findings.setting;
import static io.offhook.doctor.KeptMachine.container;
import static io.offhook.doctor.KeptMachine.outOfTheBox;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.doctor.Finding.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports on machines that are not here. */
class DoctorTest {
    @TempDir
    Path folder;

    private static final String ON_THE_HOST = "; it can be changed on the host only, not in this network namespace";

    @Test
    void nothingMustChangeOnATunedMachine() {
        DoctorReport report = tuned(folder).report();
        assertThat(report.mustChange()).isFalse();
        assertThat(report.findings())
                .allSatisfy(finding ->
                        assertThat(finding.severity()).as(finding.toString()).isEqualTo(Severity.FINE));
        assertThat(report.findings()).hasSizeGreaterThan(18);
        assertThat(report.unread()).isEmpty();
    }

    @Test
    void findsAllThatWouldLosePackets() {
        DoctorReport report = outOfTheBox(folder).report();
        assertThat(report.mustChange()).isTrue();
        assertThat(ids(report, Severity.LOSING)).isEmpty();
        assertThat(ids(report, Severity.WOULD_LOSE))
                .containsExactly(
                        "receive-buffer-max",
                        "send-buffer",
                        "backlog",
                        "connection-table",
                        "listen-queue",
                        "card-drops",
                        "interrupt-affinity",
                        "cpu-quota");
        assertThat(ids(report, Severity.HAS_LOST)).containsExactly("udp-receive-buffer", "interface-receive-drops");
        assertThat(ids(report, Severity.ADVICE))
                .containsExactly(
                        "receive-buffer-default",
                        "send-buffer-default",
                        "merging-offloads",
                        "send-queue-length",
                        "numa-node",
                        "cpu-governor",
                        "clock-source",
                        "locked-memory",
                        "open-files");
    }

    /** No advice without a reason and where that is written. */
    @Test
    void allAdviceHasItsWhyAndItsSource() {
        assertThat(outOfTheBox(folder).report().findings())
                .filteredOn(finding -> finding.severity() != Severity.FINE)
                .allSatisfy(finding -> {
                    assertThat(finding.why()).as(finding.id()).hasSizeGreaterThan(20);
                    assertThat(finding.source())
                            .as(finding.id())
                            .matches(".*(Documentation/|\\(\\d\\)).*")
                            .doesNotContain("http");
                });
    }

    /** What is called wrong says what it is today; what is advised differs from that. */
    @Test
    void advisedValuesDifferFromTodays() {
        assertThat(outOfTheBox(folder).report().findings()).allSatisfy(finding -> {
            Setting setting = finding.setting();
            if (setting != null && setting.advised() != null) {
                assertThat(setting.advised()).as(finding.id()).isNotEqualTo(setting.now());
                // of what is fine nothing is to be done
                assertThat(finding.remedies().isEmpty())
                        .as(finding.id())
                        .isEqualTo(finding.severity() == Severity.FINE);
            }
        });
    }

    /** The verdict stays: nothing is lost for them. */
    @Test
    void whatIsFineReportsTodaysValueAndTheOneThatWouldBeAdvised() {
        DoctorReport report = tuned(folder)
                .card(1024, false)
                .write("/sys/class/net/ens1f0/speed", "1000\n")
                .write("/proc/sys/net/core/wmem_max", "212992\n")
                .write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n")
                .report();
        assertThat(report.mustChange()).isFalse();
        assertThat(setting(report, "send-buffer"))
                .isEqualTo(new Setting("net.core.wmem_max", "212992", "4194304", "bytes"));
        assertThat(setting(report, "send-buffer-default"))
                .isEqualTo(new Setting("net.core.wmem_default", "212992", "1048576", "bytes"));
        assertThat(setting(report, "backlog"))
                .isEqualTo(new Setting("net.core.netdev_max_backlog", "1000", "10000", "packets"));
        assertThat(setting(report, "softirq-budget"))
                .isEqualTo(new Setting("net.core.netdev_budget", "300", "600", "packets"));
        assertThat(setting(report, "udp-memory"))
                .isEqualTo(
                        new Setting("net.ipv4.udp_mem", "762396 1016528 1524792", "2033056 3049584 4574376", "pages"));
        assertThat(setting(report, "receive-ring")).isEqualTo(new Setting("rx", "1024", "4096", "packets"));
        assertThat(setting(report, "interface-send-drops")).isEqualTo(new Setting("tx", "512", "4096", "packets"));
        assertThat(setting(report, "send-queue-length"))
                .isEqualTo(new Setting("txqueuelen", "1000", "10000", "packets"));
        assertThat(setting(report, "huge-pages")).isEqualTo(new Setting("vm.nr_hugepages", "0", "512", "pages"));
    }

    @Test
    void whatIsAsGoodAsAnyIsToldWithoutAdvice() {
        DoctorReport report = tuned(folder)
                .write("/proc/sys/net/core/netdev_max_backlog", "10000\n")
                .report();
        for (String id : List.of(
                "receive-buffer-max",
                "receive-buffer-default",
                "send-buffer",
                "backlog",
                "receive-ring",
                "interrupt-affinity",
                "cpu-governor",
                "clock-source",
                "locked-memory",
                "open-files",
                "huge-pages")) {
            assertThat(setting(report, id).advised()).as(id).isNull();
            assertThat(setting(report, id).now()).as(id).isNotEmpty();
        }
    }

    @Test
    void commandsCanBeTypedWhateverTheNames() {
        KeptMachine machine = outOfTheBox(folder)
                .write("/sys/class/net/wl;id/ifindex", "9\n")
                .write("/proc/self/cgroup", "0::/system.slice/system-a\\x2db.slice\n")
                .write("/sys/fs/cgroup/system.slice/system-a\\x2db.slice/cpu.max", "50000 100000\n");
        Doctor doctor = new Doctor(new SystemTree(machine.root()), machine, List.of("wl;id"));
        doctor.look();
        DoctorReport report = doctor.report();
        assertThat(commands(only(report, "receive-ring"))).containsExactly("ethtool -G 'wl;id' rx 4096");
        assertThat(commands(only(report, "cpu-quota")))
                .containsExactly("systemctl set-property 'system-a\\x2db.slice' CPUQuota=");
    }

    @Test
    void containerIsToldWhatTheHostKeeps() {
        DoctorReport report = container(folder).report();
        assertThat(report.unread())
                .extracting(Unread::what)
                .contains("net.core.rmem_max", "net.core.netdev_max_backlog", "how much UDP sockets may hold");
        assertThat(report.unread())
                .filteredOn(unread -> unread.what().equals("net.core.rmem_max"))
                .singleElement()
                .satisfies(unread -> {
                    assertThat(unread.reason()).isEqualTo("it is not in this network namespace");
                    assertThat(unread.remedy()).contains("nsenter");
                });
        assertThat(report.findings()).extracting(Finding::id).doesNotContain("receive-buffer-max", "receive-ring");
        assertThat(only(report, "kernel").text()).contains("AF_XDP needs 5.11");
        assertThat(only(report, "cpu-quota").text()).startsWith("its processes may use 50 % of a processor");
        // counters of /proc/net/dev, where /sys has none
        assertThat(only(report, "interface-receive-drops").text()).startsWith("3 lost (rx_dropped) of 102 received");
    }

    /** New kernels show some settings in every namespace, where nobody can change them. */
    @Test
    void whatIsTheHostsIsSetThere() {
        DoctorReport report = container(folder)
                .write("/proc/sys/net/core/rmem_max", "212992\n")
                .report();
        assertThat(only(report, "receive-buffer-max").text()).endsWith(ON_THE_HOST);
    }

    @Test
    void whatTheHostMustSetIsToldOfEachSettingOfIts() {
        DoctorReport report = container(folder)
                .write("/proc/sys/net/core/wmem_max", "212992\n")
                .write("/proc/sys/net/core/wmem_default", "212992\n")
                .write("/proc/sys/net/netfilter/nf_conntrack_max", "100\n")
                .write("/proc/sys/net/netfilter/nf_conntrack_count", "99\n")
                .write("/proc/net/snmp", "Udp: InDatagrams SndbufErrors\nUdp: 9 4\n")
                .write("/proc/net/softnet_stat", "0a3fc1d2 00000009 00000000\n")
                .report();
        for (String id : List.of("send-buffer", "send-buffer-default", "connection-table", "backlog")) {
            assertThat(only(report, id).text()).as(id).endsWith(ON_THE_HOST);
        }
        assertThat(report.findings())
                .filteredOn(finding -> finding.id().equals("socket-drops"))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.text()).endsWith(ON_THE_HOST));
    }

    @Test
    void interfaceThatIsNotThereIsMisuse() {
        Path root = container(folder).root();
        assertThatThrownBy(() -> Doctor.ofCopy(root, List.of("eth7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no interface eth7; there are eth0");
    }

    @Test
    void whatIsNoNameOfAnInterfaceIsNotTakenForOne() {
        Path root =
                container(folder).write("/sys/class/net/bonding_masters", "\n").root();
        for (String name : List.of("", ".", "..", "eth0/queues", "bonding_masters", "eth0@if58")) {
            assertThatThrownBy(() -> Doctor.ofCopy(root, List.of(name)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there is no interface " + name + "; there are eth0");
        }
        assertThat(Doctor.ofCopy(root, List.of("eth0", "eth0")).interfaces()).containsExactly("eth0");
    }

    @Test
    void interfacesAreKnownByTheirCountersWhereSysIsMissing() throws IOException {
        Path net = Files.createDirectories(folder.resolve("proc/net"));
        Files.writeString(net.resolve("dev"), "  lo: 0 0 0 0 0\n eth0: 4711 102 0 3 0 0 0 0 100 2 0 0 0 0 0 0\n");
        Doctor doctor = Doctor.ofCopy(folder, List.of());
        doctor.look();
        assertThat(doctor.interfaces()).containsExactly("eth0");
        DoctorReport report = doctor.report();
        assertThat(only(report, "interface-receive-drops").text()).startsWith("3 lost (rx_dropped) of 102 received");
        assertThat(report.unread())
                .filteredOn(unread -> unread.what().startsWith("how "))
                .contains(new Unread("how interfaces are set up", "/sys/class/net", "it is not there", ""))
                .noneMatch(unread -> unread.what().equals("how eth0 is set up"));
    }

    @Test
    void loopbackIsLookedAtOnRequestOnly() {
        Path root = outOfTheBox(folder).root();
        assertThat(Doctor.ofCopy(root, List.of()).interfaces()).containsExactly("ens1f0");
        assertThat(Doctor.ofCopy(root, List.of("lo")).interfaces()).containsExactly("lo");
    }

    /** Once the module of bonds is loaded, /sys/class/net has a file that lists them. */
    @Test
    void listOfBondsIsNoInterface() {
        KeptMachine machine = tuned(folder).write("/sys/class/net/bonding_masters", "bond0\n");
        assertThat(Doctor.ofCopy(machine.root(), List.of()).interfaces()).containsExactly("ens1f0");
    }

    @Test
    void reportNeedsALook() {
        Doctor doctor = tuned(folder).doctor();
        assertThatThrownBy(doctor::report)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("look()");
    }
}
