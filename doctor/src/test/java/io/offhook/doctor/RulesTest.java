package io.offhook.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.offhook.doctor.Finding.Setting;
import io.offhook.linux.Ethtool.Channels;
import io.offhook.linux.KernelSocket;
import io.offhook.linux.KernelSocket.Kind;
import io.offhook.linux.QueueingDiscipline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Findings on machines that are not here. */
class RulesTest {
    @TempDir
    Path folder;

    /** A session border controller of 10 Gb/s, as it came out of the box, that has lost packets. */
    private KeptMachine outOfTheBox() {
        return new KeptMachine("sbc-10g", folder.resolve("sbc-10g")).card(512, true);
    }

    /** The same after all was done that is advised. */
    private KeptMachine tuned() {
        return new KeptMachine("tuned-10g", folder.resolve("tuned-10g")).card(4096, false);
    }

    private KeptMachine container() {
        return new KeptMachine("container", folder.resolve("container")).sockets(null);
    }

    private static Finding only(DoctorReport report, String id) {
        List<Finding> found =
                report.findings().stream().filter(one -> one.id().equals(id)).toList();
        assertThat(found).as(id).hasSize(1);
        return found.getFirst();
    }

    private static List<String> commands(Finding finding) {
        return finding.remedies().stream().map(Remedy::command).toList();
    }

    private static List<String> ids(DoctorReport report, Severity severity) {
        return report.findings().stream()
                .filter(one -> one.severity() == severity)
                .map(Finding::id)
                .distinct()
                .toList();
    }

    @Test
    void nothingMustChangeOnATunedMachine() {
        DoctorReport report = tuned().report();
        assertThat(report.mustChange()).isFalse();
        assertThat(report.findings())
                .allSatisfy(finding ->
                        assertThat(finding.severity()).as(finding.toString()).isEqualTo(Severity.FINE));
        assertThat(report.findings()).hasSizeGreaterThan(18);
        assertThat(report.unread()).isEmpty();
    }

    @Test
    void findsAllThatWouldLosePackets() {
        DoctorReport report = outOfTheBox().report();
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
        assertThat(outOfTheBox().report().findings())
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
        assertThat(outOfTheBox().report().findings()).allSatisfy(finding -> {
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

    private static Setting setting(DoctorReport report, String id) {
        Finding finding = only(report, id);
        assertThat(finding.severity()).as(id).isEqualTo(Severity.FINE);
        return Objects.requireNonNull(finding.setting(), id);
    }

    /** The verdict stays: nothing is lost for them. */
    @Test
    void whatIsFineTellsTodaysValueAndTheOneThatWouldBeAdvised() {
        DoctorReport report = tuned().card(1024, false)
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
        DoctorReport report = tuned().write("/proc/sys/net/core/netdev_max_backlog", "10000\n")
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
    void datagramsThatWereRefusedWantALargerSendBuffer() {
        DoctorReport report = outOfTheBox().report();
        Finding most = only(report, "send-buffer");
        assertThat(most.text()).startsWith("17 lost (Udp.SndbufErrors): ");
        assertThat(most.setting()).isEqualTo(new Setting("net.core.wmem_max", "212992", "4194304", "bytes"));
        assertThat(commands(most)).containsExactly("sysctl -w net.core.wmem_max=4194304");
        Finding byDefault = only(report, "send-buffer-default");
        assertThat(byDefault.setting()).isEqualTo(new Setting("net.core.wmem_default", "212992", "1048576", "bytes"));
        assertThat(commands(byDefault)).containsExactly("sysctl -w net.core.wmem_default=1048576");

        // as large as is advised: nothing explains them
        DoctorReport large = outOfTheBox()
                .write("/proc/sys/net/core/wmem_max", "4194304\n")
                .write("/proc/sys/net/core/wmem_default", "1048576\n")
                .report();
        assertThat(only(large, "send-buffer").severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(only(large, "send-buffer").remedies()).isEmpty();
        assertThat(setting(large, "send-buffer-default").advised()).isNull();
    }

    @Test
    void backlogThatWasFullWantsToBeLonger() {
        Finding full = only(outOfTheBox().report(), "backlog");
        assertThat(full.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(full.subject()).isEqualTo("CPU 0");
        assertThat(full.text()).startsWith("500 lost (").contains("netdev_max_backlog");
        assertThat(full.setting()).isEqualTo(new Setting("net.core.netdev_max_backlog", "1000", "10000", "packets"));
        assertThat(commands(full)).containsExactly("sysctl -w net.core.netdev_max_backlog=10000");

        Finding large = only(
                outOfTheBox()
                        .write("/proc/sys/net/core/netdev_max_backlog", "10000\n")
                        .report(),
                "backlog");
        assertThat(large.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(large.text()).endsWith("the processor is too slow for what it is given: spread it");
        assertThat(large.remedies()).isEmpty();
    }

    @Test
    void flowsThatTheBacklogLimitsAreTold() {
        KeptMachine machine = tuned().write(
                        "/proc/net/softnet_stat", "0a3fc1d2" + " 00000000".repeat(9) + " 00000009 00000000 00000000\n");
        assertThat(only(machine.report(), "flow-limit").text()).startsWith("9 lost (");
    }

    @Test
    void receiveBuffersAreAdvisedByTheirSettings() {
        DoctorReport report = outOfTheBox().report();
        assertThat(only(report, "receive-buffer-max").setting())
                .isEqualTo(new Setting("net.core.rmem_max", "212992", "16777216", "bytes"));
        assertThat(commands(only(report, "receive-buffer-max")))
                .containsExactly("sysctl -w net.core.rmem_max=16777216");
        assertThat(only(report, "receive-buffer-default").setting())
                .isEqualTo(new Setting("net.core.rmem_default", "212992", "4194304", "bytes"));
        assertThat(commands(only(report, "receive-buffer-default")))
                .containsExactly("sysctl -w net.core.rmem_default=4194304");
    }

    @Test
    void shortSendQueueIsAdvisedTheUsualLength() {
        Finding length = only(outOfTheBox().report(), "send-queue-length");
        assertThat(length.severity()).isEqualTo(Severity.ADVICE);
        assertThat(length.setting()).isEqualTo(new Setting("txqueuelen", "500", "1000", "packets"));
        assertThat(commands(length)).containsExactly("ip link set dev ens1f0 txqueuelen 1000");
    }

    @Test
    void governorsOfProcessorsAreSetTogether() {
        Finding governor = only(outOfTheBox().report(), "cpu-governor");
        assertThat(Objects.requireNonNull(governor.setting()).advised()).isEqualTo("performance");
        assertThat(commands(governor))
                .containsExactly(
                        "for f in /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do echo performance"
                                + " > $f; done");
    }

    @Test
    void limitsOfTheProcessAreAdvised() {
        DoctorReport report = outOfTheBox().report();
        assertThat(only(report, "locked-memory").setting())
                .isEqualTo(new Setting("memlock", "65536", "67108864", "bytes"));
        assertThat(only(report, "open-files").setting()).isEqualTo(new Setting("nofile", "1024", "4096", "files"));
        assertThat(commands(only(report, "open-files")))
                .containsExactly("systemctl edit UNIT # [Service] LimitNOFILE=4096");
    }

    @Test
    void hugePagesAreToldAsTheyAre() {
        assertThat(only(tuned().report(), "huge-pages").text()).isEqualTo("huge pages for DPDK: 512 of 2,048 kB");
        KeptMachine without = tuned().write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n");
        assertThat(only(without.report(), "huge-pages").text())
                .startsWith("no huge pages; only DPDK would need them (sysctl -w vm.nr_hugepages=512)");
    }

    /** 512 of them would be 256 GiB. */
    @Test
    void hugePagesAreAdvisedBySize() {
        DoctorReport report = tuned().without("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages")
                .write("/sys/kernel/mm/hugepages/hugepages-524288kB/nr_hugepages", "0\n")
                .write("/proc/meminfo", "HugePages_Total:       0\nHugepagesize:     524288 kB\n")
                .report();
        assertThat(setting(report, "huge-pages")).isEqualTo(new Setting("vm.nr_hugepages", "0", "2", "pages"));
        assertThat(only(report, "huge-pages").text()).contains("(sysctl -w vm.nr_hugepages=2)");
    }

    @Test
    void capabilitiesAreThoseThatTheBackendsNeed() {
        assertThat(only(outOfTheBox().report(), "capabilities").text())
                .isEqualTo("this process has not CAP_NET_ADMIN (AF_XDP), CAP_NET_RAW (AF_PACKET, libpcap), CAP_PERFMON"
                        + " (AF_XDP), CAP_BPF (AF_XDP): offhook interfaces tells how to give them");
        // root of a kernel that has no others yet
        assertThat(only(
                                tuned().write("/proc/self/status", "CapEff:\t0000003fffffffff\n")
                                        .report(),
                                "capabilities")
                        .text())
                .doesNotContain("has not");
    }

    @Test
    void errorsOverIpVersion6CountAsThoseOver4() {
        String snmp6 = "Udp6RcvbufErrors 30\nUdp6SndbufErrors 4\nIp6ReasmFails 2\n";
        DoctorReport report = tuned().write("/proc/net/snmp6", snmp6).report();
        assertThat(only(report, "udp-receive-buffer").text()).startsWith("30 lost (Udp6.RcvbufErrors)");
        assertThat(only(report, "send-buffer").text()).startsWith("4 lost (Udp6.SndbufErrors)");
        assertThat(only(report, "reassembly").text()).startsWith("2 lost (Ip6.ReasmFails)");
    }

    @Test
    void cardThatCouldHaveAQueueForEachProcessorIsTold() {
        assertThat(setting(tuned().report(), "card-queues")).isEqualTo(new Setting("combined", "4", null, "queues"));
        Finding queues =
                only(tuned().write("/sys/devices/system/cpu/online", "0-7\n").report(), "card-queues");
        assertThat(queues.severity()).isEqualTo(Severity.ADVICE);
        assertThat(queues.setting()).isEqualTo(new Setting("combined", "4", "8", "queues"));
        assertThat(commands(queues)).containsExactly("ethtool -L ens1f0 combined 8");
    }

    @Test
    void countersOfProtocolsAreJudged() {
        String snmp = """
            Ip: ReasmFails
            Ip: 4
            Udp: InDatagrams RcvbufErrors InCsumErrors MemErrors
            Udp: 9 0 5 6
            """;
        String netstat = "TcpExt: ListenDrops IPReversePathFilter\nTcpExt: 41 7\n";
        DoctorReport report = tuned().write("/proc/net/snmp", snmp)
                .write("/proc/net/netstat", netstat)
                .write("/proc/sys/net/core/somaxconn", "128\n")
                .report();
        assertThat(only(report, "reassembly").text()).startsWith("4 lost (");
        assertThat(only(report, "reassembly").setting())
                .isEqualTo(new Setting("net.ipv4.ipfrag_high_thresh", "4194304", null, "bytes"));
        assertThat(only(report, "udp-checksum").text()).startsWith("5 lost (");
        assertThat(only(report, "udp-memory").text()).startsWith("6 lost (");
        assertThat(only(report, "reverse-path-filter").text()).startsWith("7 lost (");
        assertThat(commands(only(report, "reverse-path-filter")))
                .containsExactly("sysctl -w net.ipv4.conf.all.rp_filter=2");
        Finding listen = only(report, "listen-queue");
        assertThat(listen.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(listen.setting()).isEqualTo(new Setting("net.core.somaxconn", "128", "4096", "connections"));
    }

    @Test
    void ringThatLostIsMadeAsLargeAsCanBe() {
        Finding ring = only(outOfTheBox().report(), "card-drops");
        assertThat(ring.subject()).isEqualTo("ens1f0");
        assertThat(ring.text())
                .isEqualTo(
                        "88,121 lost (rx_missed_errors): its receive ring has 512 of 4,096 entries, 97 µs of voice at"
                                + " 10000 Mb/s");
        assertThat(ring.setting()).isEqualTo(new Setting("rx", "512", "4096", "packets"));
        assertThat(commands(ring)).containsExactly("ethtool -G ens1f0 rx 4096");
    }

    @Test
    void ringIsToHoldAMillisecondOfTheCardsSpeed() {
        // 10 Gb/s are 5,252 frames of voice a millisecond, more than the ring can hold; 1 Gb/s are 525
        Finding fast = only(tuned().card(512, false).report(), "receive-ring");
        assertThat(fast.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(fast)).containsExactly("ethtool -G ens1f0 rx 4096");
        Finding slow = only(
                tuned().card(512, false)
                        .write("/sys/class/net/ens1f0/speed", "1000\n")
                        .report(),
                "receive-ring");
        assertThat(commands(slow)).containsExactly("ethtool -G ens1f0 rx 1024");
        assertThat(only(
                                tuned().card(1024, false)
                                        .write("/sys/class/net/ens1f0/speed", "1000\n")
                                        .report(),
                                "receive-ring")
                        .severity())
                .isEqualTo(Severity.FINE);
        // a virtual card does not tell its speed
        Finding virtual = only(
                tuned().card(512, false)
                        .write("/sys/class/net/ens1f0/speed", "-1\n")
                        .report(),
                "receive-ring");
        assertThat(virtual.severity()).isEqualTo(Severity.ADVICE);
    }

    @Test
    void driversOwnNamesForDropsAreKnown() {
        KeptMachine machine = tuned().driver("rx_no_dma_resources", 40)
                .driver("port.rx_discards", 12)
                .driver("fdir_miss", 100_000)
                .driver("rx_xdp_drop", 100_000)
                .driver("tx_dropped_timeout", 3);
        DoctorReport report = machine.report();
        assertThat(only(report, "card-drops").text())
                .startsWith("40 lost (")
                .contains("rx_no_dma_resources", "port.rx_discards");
        assertThat(only(report, "card-drops").severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(only(report, "interface-send-drops").text()).startsWith("3 lost (tx_dropped_timeout)");
        assertThat(commands(only(report, "interface-send-drops"))).containsExactly("ethtool -G ens1f0 tx 4096");
    }

    /** ixgbe and i40e show the kernel's counters among their own; rx_dropped is of any layer below the protocols. */
    @Test
    void whatDriversCopyOfTheKernelIsNoDropOfTheCard() {
        DoctorReport report = tuned().write("/sys/class/net/ens1f0/statistics/rx_dropped", "12\n")
                .driver("rx_dropped", 12)
                .report();
        assertThat(report.findings()).extracting(Finding::id).doesNotContain("card-drops");
        assertThat(only(report, "interface-receive-drops").text()).startsWith("12 lost (rx_dropped), ");
    }

    @Test
    void whatDriversCountOfSendingIsKnownByItsName() {
        DoctorReport report = tuned().driver("[0]: tx_discards", 3)
                .driver("vf_tx_dropped", 4)
                .driver("port.tx_dropped_link_down", 5)
                .report();
        assertThat(only(report, "interface-send-drops").text()).startsWith("5 lost (");
        assertThat(report.findings()).extracting(Finding::id).doesNotContain("card-drops");
    }

    @Test
    void interruptsAreSpreadOverTheCardsNode() {
        Finding interrupts = only(outOfTheBox().report(), "interrupt-affinity");
        assertThat(interrupts.text()).isEqualTo("all of its 4 interrupts go to CPU 0, though irqbalance runs");
        assertThat(interrupts.setting()).isEqualTo(new Setting("smp_affinity_list", "0", "1,3", "processors"));
        assertThat(commands(interrupts))
                .containsExactly(
                        "systemctl stop irqbalance",
                        "echo 1 > /proc/irq/62/smp_affinity_list",
                        "echo 3 > /proc/irq/63/smp_affinity_list",
                        "echo 1 > /proc/irq/64/smp_affinity_list",
                        "echo 3 > /proc/irq/65/smp_affinity_list");
    }

    /** Counters go back to the start of the machine; what was changed since must be seen. */
    @Test
    void whereInterruptsGoCountsMoreThanWhereTheyWent() {
        assertThat(only(tuned().report(), "interrupt-affinity").severity()).isEqualTo(Severity.FINE);
        KeptMachine untold = tuned();
        for (int number = 62; number <= 65; number++) {
            untold.without("/proc/irq/" + number + "/effective_affinity_list");
        }
        assertThat(only(untold.report(), "interrupt-affinity").severity()).isEqualTo(Severity.WOULD_LOSE);
    }

    @Test
    void cardWithOneQueueHasNothingToSpreadButWork() {
        KeptMachine machine = outOfTheBox();
        for (int queue = 1; queue < 4; queue++) {
            machine.without("/sys/class/net/ens1f0/queues/rx-" + queue + "/rps_cpus")
                    .without("/sys/class/net/ens1f0/queues/rx-" + queue);
        }
        DoctorReport report = machine.report();
        assertThat(report.findings()).extracting(Finding::id).doesNotContain("interrupt-affinity");
        Finding steering = only(report, "packet-steering");
        assertThat(steering.severity()).isEqualTo(Severity.ADVICE);
        // CPU 1 and 3 are near the card
        assertThat(commands(steering)).containsExactly("echo a > /sys/class/net/ens1f0/queues/rx-0/rps_cpus");
        assertThat(steering.setting()).isEqualTo(new Setting("rps_cpus", "0", "a", "as a mask"));
    }

    /** Built without CONFIG_RPS. */
    @Test
    void kernelThatCannotSteerPacketsIsNotToldTo() {
        KeptMachine machine = outOfTheBox();
        for (int queue = 1; queue < 4; queue++) {
            machine.without("/sys/class/net/ens1f0/queues/rx-" + queue + "/rps_cpus")
                    .without("/sys/class/net/ens1f0/queues/rx-" + queue);
        }
        machine.without("/sys/class/net/ens1f0/queues/rx-0/rps_cpus");
        Finding steering = only(machine.report(), "packet-steering");
        assertThat(steering.severity()).isEqualTo(Severity.FINE);
        assertThat(steering.text()).isEqualTo("1 receive queue");
    }

    /** In a container that is told of fewer processors than /proc/interrupts shows. */
    @Test
    void interruptsMayGoToAProcessorThatIsNotShown() {
        KeptMachine machine = outOfTheBox()
                .write("/sys/devices/system/cpu/online", "0-1\n")
                .write("/sys/devices/system/node/node1/cpulist", "0-1\n")
                .write("/proc/interrupts", """
                          CPU0 CPU1 CPU2 CPU3
                     62:  0 0 0 401231233  PCI-MSI  ens1f0-TxRx-0
                     63:  0 0 0 391231233  PCI-MSI  ens1f0-TxRx-1
                    """);
        for (int number = 62; number <= 65; number++) {
            machine.without("/proc/irq/" + number + "/effective_affinity_list");
        }
        assertThat(only(machine.report(), "interrupt-affinity").text())
                .startsWith("all of its 2 interrupts go to CPU 3");
    }

    @Test
    void interruptsOfANodeWithOneProcessorCannotBeSpread() {
        KeptMachine machine = outOfTheBox().write("/sys/devices/system/node/node1/cpulist", "3\n");
        assertThat(machine.report().findings()).extracting(Finding::id).doesNotContain("interrupt-affinity");
    }

    @Test
    void cardThatIsSetUpWithQueuesForReceivingAloneIsLeftSo() {
        KeptMachine machine = tuned().channels(new Channels(2, 8, 2, 8, 0, 8));
        assertThat(machine.report().findings()).extracting(Finding::id).doesNotContain("card-queues");
    }

    /** What an older kernel writes for -1. */
    @Test
    void speedThatIsUnknownIsNotHigh() {
        Finding ring = only(
                tuned().card(512, false)
                        .write("/sys/class/net/ens1f0/speed", "4294967295\n")
                        .report(),
                "receive-ring");
        assertThat(ring.severity()).isEqualTo(Severity.ADVICE);
        assertThat(ring.text()).isEqualTo("its receive ring has 512 of 4,096 entries");
    }

    @Test
    void commandsCanBeTypedWhateverTheNames() {
        KeptMachine machine = outOfTheBox()
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
    void onlyWhatMergesPacketsAndCanBeChangedIsAdvisedAgainst() {
        DoctorReport report = outOfTheBox().report();
        List<Finding> merging = report.findings().stream()
                .filter(one -> one.id().equals("merging-offloads"))
                .toList();
        assertThat(merging).extracting(Finding::severity).containsExactly(Severity.ADVICE, Severity.FINE);
        assertThat(commands(merging.getFirst())).containsExactly("ethtool -K ens1f0 lro off");
        assertThat(merging.getLast().text()).isEqualTo("rx-gro-hw is on and cannot be changed");
        assertThat(only(report, "tcp-offloads").severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void governorsClockAndNodeAreTold() {
        DoctorReport report = outOfTheBox().report();
        assertThat(only(report, "cpu-governor").text())
                .isEqualTo("CPU 0-1,3 are slowed down when idle (driver intel_pstate)");
        assertThat(only(report, "clock-source").setting())
                .isEqualTo(new Setting("current_clocksource", "hpet", "tsc", ""));
        assertThat(only(report, "hyper-threads").text()).contains("as CPU 0,2").contains("to CPU 0-1 only");
        assertThat(only(report, "numa-node").text()).startsWith("it is nearest to CPU 1,3 (NUMA node 1), but 4 of its");
    }

    @Test
    void clockThatTheKernelDoesNotTrustIsNotAdvised() {
        Finding clock = only(
                outOfTheBox()
                        .write("/sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet acpi_pm\n")
                        .report(),
                "clock-source");
        assertThat(clock.remedies()).isEmpty();
        assertThat(clock.text()).contains("trusts no faster clock");
    }

    @Test
    void socketThatDroppedIsNamedWithItsOwner() {
        KeptMachine machine = outOfTheBox().socket(180_000, 212_992, 4711);
        Finding socket = only(machine.report(), "socket-drops");
        assertThat(socket.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(socket.subject()).isEqualTo("UDP 0.0.0.0:5060, of user 998");
        assertThat(socket.text())
                .startsWith("4,711 lost (drops); 180,000 of 212,992 bytes wait; it has the default buffer: raise that");
        assertThat(commands(socket))
                .containsExactly("sysctl -w net.core.rmem_max=16777216", "sysctl -w net.core.rmem_default=4194304");
        // the default is what lost them
        assertThat(only(machine.report(), "receive-buffer-default").severity()).isEqualTo(Severity.WOULD_LOSE);
        // 4,711 of the 151,204 that UDP counted
        assertThat(only(machine.report(), "udp-receive-buffer").text())
                .contains("4,711 of sockets that are still there");
    }

    @Test
    void limitThatWasRaisedIsToBlameWhereASocketReachedIt() {
        String path = "/proc/sys/net/core/rmem_max";
        assertThat(only(outOfTheBox().write(path, "4194304\n").report(), "receive-buffer-max")
                        .severity())
                .isEqualTo(Severity.ADVICE);
        KeptMachine reached = outOfTheBox().write(path, "4194304\n").socket(0, 8_388_608, 1);
        assertThat(only(reached.report(), "receive-buffer-max").severity()).isEqualTo(Severity.WOULD_LOSE);
    }

    @Test
    void socketWithALargeBufferHasAProgramThatIsTooSlow() {
        Finding socket = only(tuned().socket(0, 33_554_432, 12).report(), "socket-drops");
        assertThat(socket.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(socket.text()).contains("the program is too slow, or busy elsewhere");
        assertThat(socket.remedies()).isEmpty();
    }

    @Test
    void countersThatGrowAreLossesOfNow() {
        KeptMachine machine = tuned().socket(0, 33_554_432, 100).queue("pfifo_fast", 0, 10);
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

    /** fq_codel and its like have a limit of their own. */
    @Test
    void sendQueueIsMadeLongerOnlyWhereItsLengthIsTheLimit() {
        QueueingDiscipline root = new QueueingDiscipline(2, "mq", 0, QueueingDiscipline.ROOT, 0, 0, 25);
        Finding own = only(
                tuned().queues(root, new QueueingDiscipline(2, "fq_codel", 0, 1, 0, 0, 25))
                        .report(),
                "send-queue");
        assertThat(own.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(own.text()).endsWith("; tc -s qdisc show dev ens1f0 tells more");
        assertThat(own.remedies()).isEmpty();
        Finding byLength = only(
                tuned().queues(root, new QueueingDiscipline(2, "pfifo_fast", 0, 1, 0, 0, 25))
                        .report(),
                "send-queue");
        assertThat(byLength.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(byLength)).containsExactly("ip link set dev ens1f0 txqueuelen 10000");
    }

    @Test
    void sendQueuesAreThoseOfTheInterfacesThatAreLookedAt() {
        KeptMachine machine = tuned();
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
        KeptMachine machine = tuned().socket(0, 33_554_432, 100).write("/proc/net/snmp", snmp.formatted(100));
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
        KeptMachine machine = tuned().socket(0, 33_554_432, 100).write("/proc/net/snmp", snmp.formatted(100));
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
        KeptMachine machine = tuned().sockets(List.of(sniffer(100))).write("/proc/net/snmp", snmp.formatted(10));
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

    private static KernelSocket sniffer(long drops) {
        return new KernelSocket(Kind.PACKET, "", "", 0, 72, 0, 0, 212_992, 0, 212_992, drops, 0);
    }

    @Test
    void kernelBeforeTheOneThatAfXdpNeedsIsTold() {
        Finding old = only(
                tuned().write("/proc/sys/kernel/osrelease", "5.10.0-28-amd64\n").report(), "kernel");
        assertThat(old.severity()).isEqualTo(Severity.ADVICE);
        assertThat(old.text()).contains("AF_XDP needs 5.11");
        Finding young =
                only(tuned().write("/proc/sys/kernel/osrelease", "5.11.0\n").report(), "kernel");
        assertThat(young.severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void sendQueuesAreDividedAmongProcessors() {
        KeptMachine machine = tuned();
        for (int queue = 0; queue < 2; queue++) {
            machine.write("/sys/class/net/ens1f0/queues/tx-" + queue + "/xps_cpus", "00000000\n");
        }
        Finding off = only(machine.report(), "send-steering");
        assertThat(off.severity()).isEqualTo(Severity.ADVICE);
        assertThat(commands(off))
                .containsExactly(
                        "echo 5 > /sys/class/net/ens1f0/queues/tx-0/xps_cpus",
                        "echo a > /sys/class/net/ens1f0/queues/tx-1/xps_cpus");
        machine.write("/sys/class/net/ens1f0/queues/tx-1/xps_cpus", "0000000a\n");
        assertThat(only(machine.report(), "send-steering").severity()).isEqualTo(Severity.FINE);
        // a card that chooses by the queue that a flow came by
        machine.write("/sys/class/net/ens1f0/queues/tx-1/xps_cpus", "00000000\n")
                .write("/sys/class/net/ens1f0/queues/tx-1/xps_rxqs", "2\n");
        assertThat(only(machine.report(), "send-steering").severity()).isEqualTo(Severity.FINE);
    }

    @Test
    void fewDropsOfAnInterfaceMayBeChatter() {
        KeptMachine machine = tuned();
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

    @Test
    void queueThatIsFullIsToldBeforeItDrops() {
        Finding full = only(tuned().socket(4_000_000, 4_194_304, 0).report(), "socket-queue");
        assertThat(full.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(full.text()).startsWith("its queue is 95 % full: 4,000,000 of 4,194,304 bytes");
        assertThat(only(tuned().socket(2_200_000, 4_194_304, 0).report(), "socket-queue")
                        .severity())
                .isEqualTo(Severity.ADVICE);
    }

    @Test
    void sniffersAreToldByTheirInterface() {
        KernelSocket withRing = new KernelSocket(Kind.PACKET, "", "", 2, 71, 0, 0, 212_992, 0, 212_992, 0, 64 << 20);
        KernelSocket withoutRing = new KernelSocket(Kind.PACKET, "", "", 0, 72, 0, 0, 212_992, 0, 212_992, 9, 0);
        DoctorReport report = tuned().sockets(List.of(withRing, withoutRing)).report();
        Finding ring = only(report, "packet-ring");
        assertThat(ring.severity()).isEqualTo(Severity.FINE);
        assertThat(ring.subject()).isEqualTo("packet socket on ens1f0, of user 0");
        assertThat(ring.text()).startsWith("a ring of 67,108,864 bytes; what a ring drops");
        assertThat(only(report, "socket-drops").subject()).isEqualTo("packet socket on all interfaces, of user 0");
    }

    @Test
    void manySocketsAreToldTogether() {
        List<KernelSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sockets.add(new KernelSocket(
                    Kind.UDP, "192.0.2.1:" + (10_000 + i), "", 0, 100 + i, 0, 0, 212_992, 0, 0, 1 + i, 0));
        }
        List<Finding> found = tuned().sockets(sockets).report().findings().stream()
                .filter(one -> one.id().equals("socket-drops"))
                .toList();
        assertThat(found).hasSize(21);
        assertThat(found.getFirst().subject()).startsWith("UDP 192.0.2.1:10099,");
        // 1 to 80
        assertThat(found.getLast().text()).isEqualTo("80 more sockets dropped 3,240 packets");
        assertThat(found.getLast().why()).isNotEmpty();
    }

    @Test
    void connectionTableIsWatched() {
        Finding table = only(outOfTheBox().report(), "connection-table");
        assertThat(table.text()).isEqualTo("240,113 of 262,144 connections are tracked");
        assertThat(commands(table)).containsExactly("sysctl -w net.netfilter.nf_conntrack_max=524288");
    }

    @Test
    void squeezesAreAdviceOnlyWhereTheyAreMany() {
        // 80,000 in 172 million, but 20 just now
        KeptMachine machine = outOfTheBox();
        assertThat(only(machine.report(), "softirq-budget").severity()).isEqualTo(Severity.FINE);
        machine.write("/proc/net/softnet_stat", "0a3fc1d2 000001f4 00013894" + " 00000000".repeat(9) + " 00000000\n");
        Finding budget = only(machine.report(), "softirq-budget");
        assertThat(budget.severity()).isEqualTo(Severity.ADVICE);
        assertThat(commands(budget))
                .containsExactly("sysctl -w net.core.netdev_budget=600", "sysctl -w net.core.netdev_budget_usecs=4000");
        assertThat(budget.text()).endsWith(", 20 just now; a turn ends after 300 packets or 2,000 µs");
    }

    /** The counter does not tell whether they were before that, and it would be raised again and again. */
    @Test
    void squeezesOfBeforeABudgetWasRaisedAreNotAdvised() {
        String often = "0a3fc1d2 00000000 00ffffff" + " 00000000".repeat(9) + " 00000000\n";
        KeptMachine machine = tuned().write("/proc/net/softnet_stat", often);
        assertThat(only(machine.report(), "softirq-budget").severity()).isEqualTo(Severity.ADVICE);
        machine.write("/proc/sys/net/core/netdev_budget", "600\n");
        assertThat(only(machine.report(), "softirq-budget").severity()).isEqualTo(Severity.FINE);
    }

    /** That of softnet_stat has 32 bits. */
    @Test
    void squeezesAreComparedWithPacketsThoughTheirCounterBeganAnew() {
        KeptMachine machine =
                tuned().write("/proc/net/softnet_stat", "00000010 00000000 000003e8" + " 00000000".repeat(9) + " 0\n");
        Finding budget = only(machine.report(), "softirq-budget");
        assertThat(budget.severity()).isEqualTo(Severity.FINE);
        assertThat(budget.text()).isEqualTo("receive softirqs left work behind 1,000 times in 982,123,411 packets");
    }

    @Test
    void udpMemoryUnderPressure() {
        KeptMachine machine = tuned().write("/proc/net/sockstat", "UDP: inuse 9 mem 1100000\n");
        Finding memory = only(machine.report(), "udp-memory");
        assertThat(memory.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(memory)).containsExactly("sysctl -w net.ipv4.udp_mem='2033056 3049584 4574376'");
    }

    /** Else the same old drops would ask for more each time that what is advised was done. */
    @Test
    void udpMemoryThatWasRaisedIsNotToBlameForOldDrops() {
        String snmp = "Udp: InDatagrams MemErrors\nUdp: 9 %d\n";
        KeptMachine machine = tuned().write("/proc/net/snmp", snmp.formatted(6));
        Finding memory = only(machine.report(), "udp-memory");
        assertThat(memory.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(memory)).containsExactly("sysctl -w net.ipv4.udp_mem='2033056 3049584 4574376'");

        machine.write("/proc/sys/net/ipv4/udp_mem", "2033056\t3049584\t4574376\n");
        Finding raised = only(machine.report(), "udp-memory");
        assertThat(raised.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(raised.setting())
                .isEqualTo(new Setting("net.ipv4.udp_mem", "2033056 3049584 4574376", null, "pages"));
        assertThat(raised.remedies()).isEmpty();

        machine.write("/proc/net/snmp", snmp.formatted(7));
        assertThat(only(machine.report(), "udp-memory").severity()).isEqualTo(Severity.LOSING);
        assertThat(only(machine.write("/proc/net/snmp", snmp.formatted(8)).report(), "udp-memory")
                        .remedies())
                .hasSize(1);
    }

    @Test
    void quotaThatStoodInTheWay() {
        Finding quota = only(outOfTheBox().report(), "cpu-quota");
        assertThat(quota.text())
                .isEqualTo("its processes may use 150 % of a processor, and waited for their share 31 times");
        assertThat(commands(quota)).containsExactly("systemctl set-property offhook.service CPUQuota=");
        assertThat(quota.setting()).isEqualTo(new Setting("cpu.max", "150 % of a processor", "max", ""));
    }

    /** Only its own manager knows it. */
    @Test
    void quotaOfAUsersUnitIsSetByTheUsersManager() {
        String group = "/user.slice/user-998.slice/user@998.service/app.slice/sniffer.service";
        Finding quota = only(
                tuned().write("/proc/self/cgroup", "0::" + group + "\n")
                        .write("/sys/fs/cgroup" + group + "/cpu.max", "50000 100000\n")
                        .report(),
                "cpu-quota");
        assertThat(commands(quota)).containsExactly("systemctl --user set-property sniffer.service CPUQuota=");
    }

    @Test
    void stealIsToldWhereAHypervisorTakesTime() {
        KeptMachine machine = tuned().write("/proc/stat", "cpu  100 0 200 700 0 0 0 0 0 0\n");
        assertThat(only(machine.report(), "steal-time").severity()).isEqualTo(Severity.FINE);
        machine.write("/proc/stat", "cpu  120 0 220 720 0 0 0 40 0 0\n");
        Finding steal = only(machine.report(), "steal-time");
        assertThat(steal.severity()).isEqualTo(Severity.ADVICE);
        assertThat(steal.text()).contains("3 % of the processors' time since the start, and 40 % just now");
    }

    @Test
    void containerIsToldWhatTheHostKeeps() {
        DoctorReport report = container().report();
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
        assertThat(only(report, "interface-receive-drops").text()).startsWith("3 lost (rx_dropped), of 102 received");
    }

    /** New kernels show some settings in every namespace, where nobody can change them. */
    @Test
    void whatIsTheHostsIsSetThere() {
        DoctorReport report =
                container().write("/proc/sys/net/core/rmem_max", "212992\n").report();
        assertThat(only(report, "receive-buffer-max").text()).endsWith(ON_THE_HOST);
    }

    private static final String ON_THE_HOST = "; it can be set on the host only, not in this network namespace";

    @Test
    void whatTheHostMustSetIsToldOfEachSettingOfIts() {
        DoctorReport report = container()
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
    void socketsOfTheTableWhereTheKernelIsNotAsked() {
        List<Finding> drops = container().report().findings().stream()
                .filter(one -> one.id().equals("socket-drops"))
                .toList();
        assertThat(drops)
                .extracting(Finding::subject)
                .containsExactly("UDP 0.0.0.0:5060, of user 998", "UDP [2001:db8:0:0:0:0:ff00:1]:5060, of user 0");
        // how much they may hold is not told there
        assertThat(drops.getFirst().setting()).isNull();
    }

    @Test
    void interfaceThatIsNotThereIsMisuse() {
        Path root = container().root();
        assertThatThrownBy(() -> Doctor.ofCopy(root, List.of("eth7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no interface eth7; there are eth0");
    }

    @Test
    void whatIsNoNameOfAnInterfaceIsNotTakenForOne() {
        Path root = container().write("/sys/class/net/bonding_masters", "\n").root();
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
        assertThat(only(report, "interface-receive-drops").text()).startsWith("3 lost (rx_dropped), of 102 received");
        assertThat(report.unread())
                .filteredOn(unread -> unread.what().startsWith("how "))
                .contains(new Unread("how interfaces are set up", "/sys/class/net", "it is not there", ""))
                .noneMatch(unread -> unread.what().equals("how eth0 is set up"));
    }

    @Test
    void loopbackIsLookedAtOnRequestOnly() {
        Path root = outOfTheBox().root();
        assertThat(Doctor.ofCopy(root, List.of()).interfaces()).containsExactly("ens1f0");
        assertThat(Doctor.ofCopy(root, List.of("lo")).interfaces()).containsExactly("lo");
    }

    /** Once the module of bonds is loaded, /sys/class/net has a file that lists them. */
    @Test
    void listOfBondsIsNoInterface() {
        KeptMachine machine = tuned().write("/sys/class/net/bonding_masters", "bond0\n");
        assertThat(Doctor.ofCopy(machine.root(), List.of()).interfaces()).containsExactly("ens1f0");
    }

    @Test
    void reportNeedsALook() {
        Doctor doctor = tuned().doctor();
        assertThatThrownBy(doctor::report)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("look()");
    }
}
