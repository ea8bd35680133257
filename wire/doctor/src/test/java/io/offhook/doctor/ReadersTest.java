package io.offhook.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Texts of real kernels, old and new, and what is not quite one. */
class ReadersTest {
    @Test
    void softnetOfNewKernelsReportsItsProcessors() {
        String text = """
            00077a2e 00000003 0000000a 00000000 00000000 00000000 00000000 00000000 00000000 00000005 00000002 00000000 00000000 00000000 00000000
            0005fca6 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000003 00000000 00000000
            """;
        assertThat(SoftnetStat.parse(text))
                .containsExactly(new SoftnetStat(0, 0x77a2e, 3, 10, 5, 2), new SoftnetStat(3, 0x5fca6, 0, 0, 0, 0));
    }

    @Test
    void softnetOfOldKernelsIsCountedByLine() {
        // 2.6.32: nine columns
        String text = "000001f4 00000000 00000001 00000000 00000000 00000000 00000000 00000000 00000000\n".repeat(2);
        assertThat(SoftnetStat.parse(text))
                .containsExactly(new SoftnetStat(0, 500, 0, 1, 0, 0), new SoftnetStat(1, 500, 0, 1, 0, 0));
    }

    @Test
    void snmpIsReadByNameInAnyKernel() {
        String old = """
            Udp: InDatagrams NoPorts InErrors OutDatagrams
            Udp: 12 1 3 9
            UdpLite: InDatagrams NoPorts InErrors OutDatagrams
            UdpLite: 0 0 0 0
            """;
        assertThat(ProtocolCounters.ofPairs(old))
                .containsEntry("Udp.InErrors", 3L)
                .containsEntry("UdpLite.InErrors", 0L)
                .doesNotContainKey("Udp.RcvbufErrors");
        String tcp = "Tcp: RtoAlgorithm RtoMin MaxConn\nTcp: 1 200 -1\n";
        assertThat(ProtocolCounters.ofPairs(tcp)).containsEntry("Tcp.MaxConn", -1L);
    }

    @Test
    void snmp6IsNamedAsSnmpIs() {
        assertThat(ProtocolCounters.ofLines("Udp6RcvbufErrors                \t5\nIp6ReasmFails \t2\n\nnoise\n"))
                .isEqualTo(Map.of("Udp6.RcvbufErrors", 5L, "Ip6.ReasmFails", 2L));
    }

    @Test
    void conntrackIsTheSumOfItsProcessors() {
        String text = """
            entries  searched found drop early_drop
            00000010  00000000 00000000 0000000a 00000001
            00000010  00000000 00000000 00000001 00000000
            """;
        assertThat(ProtocolCounters.ofConntrack(text))
                .containsEntry("conntrack.drop", 11L)
                .containsEntry("conntrack.early_drop", 1L);
    }

    @Test
    void devicesMayStandCloseToTheirColon() {
        // before 2.6.39 no blank followed it
        String text = """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
              eth0:1234567890 9999 1 2 3 4 0 0 10 11 12 13 14 0 0 0
            """;
        assertThat(ProtocolCounters.ofDevices(text)).containsOnlyKeys("eth0");
        assertThat(ProtocolCounters.ofDevices(text).get("eth0"))
                .containsEntry("rx_packets", 9999L)
                .containsEntry("rx_dropped", 2L)
                .containsEntry("rx_fifo_errors", 3L)
                .containsEntry("tx_dropped", 13L);
    }

    @Test
    void udpTableReportsAddressesAndDrops() {
        String text = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
             1204: 0100007F:13C4 00000000:0000 07 00000001:0000D000 00:00000000 00000000   998        0 48213 2 0000000000000000 7
             4711: 0100007F:0035 0200007F:D431 07 00000000:00000000 00:00000000 00000000     0        0 48215 2 0000000000000000 0
            """;
        assertThat(UdpTable.parse(text, Kind.UDP))
                .containsExactly(
                        new KernelSocket(
                                Kind.UDP,
                                "127.0.0.1:5060",
                                "",
                                0,
                                new KernelSocket.Owner(48213, 998),
                                new KernelSocket.Memory(0xd000, 0, 1, 0, 0),
                                7),
                        new KernelSocket(
                                Kind.UDP,
                                "127.0.0.1:53",
                                "127.0.0.2:54321",
                                0,
                                new KernelSocket.Owner(48215, 0),
                                new KernelSocket.Memory(0, 0, 0, 0, 0),
                                0));
    }

    @Test
    void udpTableOfVersionSix() {
        String text = "  831: B80D01200000000000000000010000FF:13C4 00000000000000000000000000000000:0000 07"
                + " 00000000:00000000 00:00000000 00000000     0        0 19022 2 0000000000000000 5\n";
        assertThat(UdpTable.parse(text, Kind.UDP6))
                .singleElement()
                .extracting(KernelSocket::local)
                .isEqualTo("[2001:db8:0:0:0:0:ff00:1]:5060");
    }

    @Test
    void interruptsAreThoseWithNumbers() {
        String text = """
                       CPU0       CPU1
             24:          1          0  IO-APIC   5-edge      ACPI:Ged
             41:      23443          7  PCI-MSIX-0000:00:04.0   1-edge      virtio3-rx
            NMI:          0          0  Non-maskable interrupts
            ERR:          0
            """;
        assertThat(Interrupts.parse(text))
                .containsExactly(
                        new Interrupts(24, "ACPI:Ged", Map.of(0, 1L, 1, 0L)),
                        new Interrupts(41, "virtio3-rx", Map.of(0, 23443L, 1, 7L)));
        assertThat(Interrupts.onlyProcessor(Interrupts.parse(text))).isZero();
    }

    /** Those that are offline have no column. */
    @Test
    void interruptsAreOfTheProcessorsThatTheHeadingNames() {
        List<Interrupts> interrupts = Interrupts.parse("    CPU1 CPU6\n 41: 0 9 PCI-MSI eth0\n");
        assertThat(interrupts).containsExactly(new Interrupts(41, "eth0", Map.of(1, 0L, 6, 9L)));
        assertThat(Interrupts.onlyProcessor(interrupts)).isEqualTo(6);
    }

    @Test
    void interruptsOfSeveralProcessorsAreOfNone() {
        List<Interrupts> shared = List.of(
                new Interrupts(1, "eth0-0", Map.of(0, 94L, 1, 0L)), new Interrupts(2, "eth0-1", Map.of(0, 0L, 1, 6L)));
        assertThat(Interrupts.onlyProcessor(shared)).isEqualTo(-1);
        assertThat(Interrupts.onlyProcessor(List.of())).isEqualTo(-1);
    }

    @Test
    void stealIsThatOfTheFirstLine() {
        assertThat(CpuTimes.parse("cpu  100 0 200 600 0 0 50 50 7 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n"))
                .isEqualTo(Map.of("cpu.total", 1000L, "cpu.steal", 50L));
        assertThat(CpuTimes.parse(null)).isEmpty();
        // before 2.6.11 there was no such column
        assertThat(CpuTimes.parse("cpu  100 0 200 600 0 0 50\n")).isEmpty();
    }

    @Test
    void listsOfProcessorsGoBothWays() {
        assertThat(Numbers.list("0-3,8,10-11\n")).containsExactly(0, 1, 2, 3, 8, 10, 11);
        assertThat(Numbers.ranges(List.of(0, 1, 2, 3, 8, 10, 11))).isEqualTo("0-3,8,10-11");
        assertThat(Numbers.list("")).isEmpty();
        assertThat(Numbers.list("x,3,4-,99999-100000")).containsExactly(3);
    }

    @Test
    void masksHaveGroupsOfThirtyTwo() {
        assertThat(Numbers.mask(List.of(0, 1))).isEqualTo("3");
        assertThat(Numbers.mask(List.of(0, 32))).isEqualTo("1,00000001");
        assertThat(Numbers.mask(List.of(31, 64))).isEqualTo("1,00000000,80000000");
    }

    @Test
    void kernelsAreComparedByNumbers() {
        assertThat(kernel("5.15.0-91-generic").isKernel(5, 9)).isTrue();
        assertThat(kernel("4.18.0-553.el8").isKernel(4, 18)).isTrue();
        assertThat(kernel("4.9.0").isKernel(4, 18)).isFalse();
        assertThat(kernel("6.18-rc1").isKernel(6, 18)).isTrue();
        assertThat(kernel("").isKernel(9, 9)).isTrue();
    }

    private static Machine kernel(String release) {
        return new Machine(
                Map.of(), true, List.of(), Map.of(), List.of(), List.of(), Map.of(), "", Map.of(), release, "",
                List.of(), Map.of(), 2048, -1, -1, -1, null, false);
    }

    @Test
    void wordsThatTheShellWouldReadMoreIntoAreQuoted() {
        assertThat(Remedy.quoted("eth0.5@x-1_a:b")).isEqualTo("eth0.5@x-1_a:b");
        assertThat(Remedy.quoted("wl;id")).isEqualTo("'wl;id'");
        assertThat(Remedy.quoted("a'b")).isEqualTo("'a'\\''b'");
        assertThat(Remedy.quoted("")).isEqualTo("''");
    }

    /** Whatever a file holds, reading it throws nothing. */
    @Test
    void nothingThrowsOnWhatIsNoText() {
        for (String text :
                List.of("", "\n", ":", "::\n:", "cpu", "1:", "Udp:\nUdp:\n", "=", "0: :\n", "\0\0", "9".repeat(99))) {
            assertThat(SoftnetStat.parse(text)).isNotNull();
            assertThat(ProtocolCounters.ofPairs(text)).isNotNull();
            assertThat(ProtocolCounters.ofLines(text)).isNotNull();
            assertThat(ProtocolCounters.ofSockstat(text)).isNotNull();
            assertThat(ProtocolCounters.ofConntrack(text)).isNotNull();
            assertThat(ProtocolCounters.ofDevices(text)).isNotNull();
            assertThat(UdpTable.parse(text, Kind.UDP)).isNotNull();
            assertThat(Interrupts.parse(text)).isNotNull();
            assertThat(CpuTimes.parse(text)).isNotNull();
            assertThat(Numbers.list(text)).isNotNull();
        }
    }
}
