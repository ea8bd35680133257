package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.Findings.setting;
import static io.offhook.doctor.KeptMachine.outOfTheBox;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.doctor.Finding.Setting;
import io.offhook.linux.network.Ethtool.Channels;
import io.offhook.linux.network.QueueingDiscipline;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cards, their rings, queues and offloads. */
class InterfaceRulesTest {
    @TempDir
    Path folder;

    @Test
    void shortSendQueueIsAdvisedTheUsualLength() {
        Finding length = only(outOfTheBox(folder).report(), "send-queue-length");
        assertThat(length.severity()).isEqualTo(Severity.ADVICE);
        assertThat(length.setting()).isEqualTo(new Setting("txqueuelen", "500", "1000", "packets"));
        assertThat(commands(length)).containsExactly("ip link set dev ens1f0 txqueuelen 1000");
    }

    @Test
    void cardThatCouldHaveAQueueForEachProcessorIsTold() {
        assertThat(setting(tuned(folder).report(), "card-queues"))
                .isEqualTo(new Setting("combined", "4", null, "queues"));
        Finding queues = only(
                tuned(folder).write("/sys/devices/system/cpu/online", "0-7\n").report(), "card-queues");
        assertThat(queues.severity()).isEqualTo(Severity.ADVICE);
        assertThat(queues.setting()).isEqualTo(new Setting("combined", "4", "8", "queues"));
        assertThat(commands(queues)).containsExactly("ethtool -L ens1f0 combined 8");
    }

    @Test
    void ringThatLostIsMadeAsLargeAsCanBe() {
        Finding ring = only(outOfTheBox(folder).report(), "card-drops");
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
        Finding fast = only(tuned(folder).card(512, false).report(), "receive-ring");
        assertThat(fast.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(fast)).containsExactly("ethtool -G ens1f0 rx 4096");
        Finding slow = only(
                tuned(folder)
                        .card(512, false)
                        .write("/sys/class/net/ens1f0/speed", "1000\n")
                        .report(),
                "receive-ring");
        assertThat(commands(slow)).containsExactly("ethtool -G ens1f0 rx 1024");
        assertThat(only(
                                tuned(folder)
                                        .card(1024, false)
                                        .write("/sys/class/net/ens1f0/speed", "1000\n")
                                        .report(),
                                "receive-ring")
                        .severity())
                .isEqualTo(Severity.FINE);
        // a virtual card does not tell its speed
        Finding virtual = only(
                tuned(folder)
                        .card(512, false)
                        .write("/sys/class/net/ens1f0/speed", "-1\n")
                        .report(),
                "receive-ring");
        assertThat(virtual.severity()).isEqualTo(Severity.ADVICE);
    }

    @Test
    void driversOwnNamesForDropsAreKnown() {
        KeptMachine machine = tuned(folder)
                .driver("rx_no_dma_resources", 40)
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
        DoctorReport report = tuned(folder)
                .write("/sys/class/net/ens1f0/statistics/rx_dropped", "12\n")
                .driver("rx_dropped", 12)
                .report();
        assertThat(report.findings()).extracting(Finding::id).doesNotContain("card-drops");
        assertThat(only(report, "interface-receive-drops").text()).startsWith("12 lost (rx_dropped) of ");
    }

    @Test
    void whatDriversCountOfSendingIsKnownByItsName() {
        DoctorReport report = tuned(folder)
                .driver("[0]: tx_discards", 3)
                .driver("vf_tx_dropped", 4)
                .driver("port.tx_dropped_link_down", 5)
                .report();
        assertThat(only(report, "interface-send-drops").text()).startsWith("5 lost (");
        assertThat(report.findings()).extracting(Finding::id).doesNotContain("card-drops");
    }

    @Test
    void cardThatIsSetUpWithQueuesForReceivingAloneIsLeftSo() {
        KeptMachine machine = tuned(folder).channels(new Channels(2, 8, 2, 8, 0, 8));
        assertThat(machine.report().findings()).extracting(Finding::id).doesNotContain("card-queues");
    }

    /** What an older kernel writes for -1. */
    @Test
    void speedThatIsUnknownIsNotHigh() {
        Finding ring = only(
                tuned(folder)
                        .card(512, false)
                        .write("/sys/class/net/ens1f0/speed", "4294967295\n")
                        .report(),
                "receive-ring");
        assertThat(ring.severity()).isEqualTo(Severity.ADVICE);
        assertThat(ring.text()).isEqualTo("its receive ring has 512 of 4,096 entries");
    }

    @Test
    void onlyWhatMergesPacketsAndCanBeChangedIsAdvisedAgainst() {
        DoctorReport report = outOfTheBox(folder).report();
        List<Finding> merging = report.findings().stream()
                .filter(one -> one.id().equals("merging-offloads"))
                .toList();
        assertThat(merging).extracting(Finding::severity).containsExactly(Severity.ADVICE, Severity.FINE);
        assertThat(commands(merging.getFirst())).containsExactly("ethtool -K ens1f0 lro off");
        assertThat(merging.getLast().text()).isEqualTo("rx-gro-hw is on and cannot be changed");
        assertThat(only(report, "tcp-offloads").severity()).isEqualTo(Severity.FINE);
    }

    /** fq_codel and its like have a limit of their own. */
    @Test
    void sendQueueIsMadeLongerOnlyWhereItsLengthIsTheLimit() {
        QueueingDiscipline root = new QueueingDiscipline(2, "mq", 0, QueueingDiscipline.ROOT, 0, 0, 25);
        Finding own = only(
                tuned(folder)
                        .queues(root, new QueueingDiscipline(2, "fq_codel", 0, 1, 0, 0, 25))
                        .report(),
                "send-queue");
        assertThat(own.severity()).isEqualTo(Severity.HAS_LOST);
        assertThat(own.text()).endsWith("; tc -s qdisc show dev ens1f0 shows details");
        assertThat(own.remedies()).isEmpty();
        Finding byLength = only(
                tuned(folder)
                        .queues(root, new QueueingDiscipline(2, "pfifo_fast", 0, 1, 0, 0, 25))
                        .report(),
                "send-queue");
        assertThat(byLength.severity()).isEqualTo(Severity.WOULD_LOSE);
        assertThat(commands(byLength)).containsExactly("ip link set dev ens1f0 txqueuelen 10000");
    }
}
