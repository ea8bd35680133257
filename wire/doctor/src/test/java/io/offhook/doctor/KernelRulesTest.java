package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.Findings.setting;
import static io.offhook.doctor.KeptMachine.outOfTheBox;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.doctor.Finding.Setting;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of the network stack. */
class KernelRulesTest {
    @TempDir
    Path folder;

    @Test
    void datagramsThatWereRefusedWantALargerSendBuffer() {
        DoctorReport report = outOfTheBox(folder).report();
        Finding most = only(report, "send-buffer");
        assertThat(most.text()).startsWith("17 lost (Udp.SndbufErrors): ");
        assertThat(most.setting()).isEqualTo(new Setting("net.core.wmem_max", "212992", "4194304", "bytes"));
        assertThat(commands(most)).containsExactly("sysctl -w net.core.wmem_max=4194304");
        Finding byDefault = only(report, "send-buffer-default");
        assertThat(byDefault.setting()).isEqualTo(new Setting("net.core.wmem_default", "212992", "1048576", "bytes"));
        assertThat(commands(byDefault)).containsExactly("sysctl -w net.core.wmem_default=1048576");

        // as large as is advised: nothing explains them
        DoctorReport large = outOfTheBox(folder)
                .write("/proc/sys/net/core/wmem_max", "4194304\n")
                .write("/proc/sys/net/core/wmem_default", "1048576\n")
                .report();
        assertThat(only(large, "send-buffer").severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(only(large, "send-buffer").remedies()).isEmpty();
        assertThat(setting(large, "send-buffer-default").advised()).isNull();
    }

    @Test
    void backlogThatWasFullWantsToBeLonger() {
        Finding full = only(outOfTheBox(folder).report(), "backlog");
        assertThat(full.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(full.subject()).isEqualTo("CPU 0");
        assertThat(full.text()).startsWith("500 lost (").contains("netdev_max_backlog");
        assertThat(full.setting()).isEqualTo(new Setting("net.core.netdev_max_backlog", "1000", "10000", "packets"));
        assertThat(commands(full)).containsExactly("sysctl -w net.core.netdev_max_backlog=10000");

        Finding large = only(
                outOfTheBox(folder)
                        .write("/proc/sys/net/core/netdev_max_backlog", "10000\n")
                        .report(),
                "backlog");
        assertThat(large.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(large.text()).endsWith("the processor is overloaded: spread the load over several");
        assertThat(large.remedies()).isEmpty();
    }

    @Test
    void flowsThatTheBacklogLimitsAreTold() {
        KeptMachine machine = tuned(folder)
                .write("/proc/net/softnet_stat", "0a3fc1d2" + " 00000000".repeat(9) + " 00000009 00000000 00000000\n");
        assertThat(only(machine.report(), "flow-limit").text()).startsWith("9 lost (");
    }

    @Test
    void receiveBuffersAreAdvisedByTheirSettings() {
        DoctorReport report = outOfTheBox(folder).report();
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
    void errorsOverIpVersion6CountAsThoseOver4() {
        String snmp6 = "Udp6RcvbufErrors 30\nUdp6SndbufErrors 4\nIp6ReasmFails 2\n";
        DoctorReport report = tuned(folder).write("/proc/net/snmp6", snmp6).report();
        assertThat(only(report, "udp-receive-buffer").text()).startsWith("30 lost (Udp6.RcvbufErrors)");
        assertThat(only(report, "send-buffer").text()).startsWith("4 lost (Udp6.SndbufErrors)");
        assertThat(only(report, "reassembly").text()).startsWith("2 lost (Ip6.ReasmFails)");
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
        DoctorReport report = tuned(folder)
                .write("/proc/net/snmp", snmp)
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
    void limitThatWasRaisedIsToBlameWhereASocketReachedIt() {
        String path = "/proc/sys/net/core/rmem_max";
        assertThat(only(outOfTheBox(folder).write(path, "4194304\n").report(), "receive-buffer-max")
                        .severity())
                .isEqualTo(Severity.ADVICE);
        KeptMachine reached = outOfTheBox(folder).write(path, "4194304\n").socket(0, 8_388_608, 1);
        assertThat(only(reached.report(), "receive-buffer-max").severity()).isEqualTo(Severity.WOULD_LOSE);
    }

    @Test
    void connectionTableIsWatched() {
        Finding table = only(outOfTheBox(folder).report(), "connection-table");
        assertThat(table.text()).isEqualTo("240,113 of 262,144 connections are tracked");
        assertThat(commands(table)).containsExactly("sysctl -w net.netfilter.nf_conntrack_max=524288");
    }

    @Test
    void squeezesAreAdviceOnlyWhereTheyAreMany() {
        // 80,000 in 172 million, but 20 just now
        KeptMachine machine = outOfTheBox(folder);
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
        KeptMachine machine = tuned(folder).write("/proc/net/softnet_stat", often);
        assertThat(only(machine.report(), "softirq-budget").severity()).isEqualTo(Severity.ADVICE);
        machine.write("/proc/sys/net/core/netdev_budget", "600\n");
        assertThat(only(machine.report(), "softirq-budget").severity()).isEqualTo(Severity.FINE);
    }

    /** That of softnet_stat has 32 bits. */
    @Test
    void squeezesAreComparedWithPacketsThoughTheirCounterBeganAnew() {
        KeptMachine machine = tuned(folder)
                .write("/proc/net/softnet_stat", "00000010 00000000 000003e8" + " 00000000".repeat(9) + " 0\n");
        Finding budget = only(machine.report(), "softirq-budget");
        assertThat(budget.severity()).isEqualTo(Severity.FINE);
        assertThat(budget.text()).isEqualTo("receive softirqs left work behind 1,000 times in 982,123,411 packets");
    }

    @Test
    void udpMemoryUnderPressure() {
        KeptMachine machine = tuned(folder).write("/proc/net/sockstat", "UDP: inuse 9 mem 1100000\n");
        Finding memory = only(machine.report(), "udp-memory");
        assertThat(memory.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(memory)).containsExactly("sysctl -w net.ipv4.udp_mem='2033056 3049584 4574376'");
    }

    /** Else the same old drops would ask for more each time that what is advised was done. */
    @Test
    void udpMemoryThatWasRaisedIsNotToBlameForOldDrops() {
        String snmp = "Udp: InDatagrams MemErrors\nUdp: 9 %d\n";
        KeptMachine machine = tuned(folder).write("/proc/net/snmp", snmp.formatted(6));
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
}
