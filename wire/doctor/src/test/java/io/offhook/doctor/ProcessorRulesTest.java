package io.offhook.doctor;

import static io.offhook.doctor.Findings.commands;
import static io.offhook.doctor.Findings.only;
import static io.offhook.doctor.KeptMachine.outOfTheBox;
import static io.offhook.doctor.KeptMachine.tuned;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.doctor.Finding.Setting;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which processor works on what, and how fast. */
class ProcessorRulesTest {
    @TempDir
    Path folder;

    @Test
    void governorsOfProcessorsAreSetTogether() {
        Finding governor = only(outOfTheBox(folder).report(), "cpu-governor");
        assertThat(Objects.requireNonNull(governor.setting()).advised()).isEqualTo("performance");
        assertThat(commands(governor))
                .containsExactly(
                        "for f in /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do echo performance"
                                + " > $f; done");
    }

    @Test
    void interruptsAreSpreadOverTheCardsNode() {
        Finding interrupts = only(outOfTheBox(folder).report(), "interrupt-affinity");
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
        assertThat(only(tuned(folder).report(), "interrupt-affinity").severity())
                .isEqualTo(Severity.FINE);
        KeptMachine unreported = tuned(folder);
        for (int number = 62; number <= 65; number++) {
            unreported.without("/proc/irq/" + number + "/effective_affinity_list");
        }
        assertThat(only(unreported.report(), "interrupt-affinity").severity()).isEqualTo(Severity.WOULD_LOSE);
    }

    @Test
    void cardWithOneQueueHasNothingToSpreadButWork() {
        KeptMachine machine = outOfTheBox(folder);
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
        KeptMachine machine = outOfTheBox(folder);
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
        KeptMachine machine = outOfTheBox(folder)
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
        KeptMachine machine = outOfTheBox(folder).write("/sys/devices/system/node/node1/cpulist", "3\n");
        assertThat(machine.report().findings()).extracting(Finding::id).doesNotContain("interrupt-affinity");
    }

    @Test
    void governorsClockAndNodeAreTold() {
        DoctorReport report = outOfTheBox(folder).report();
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
                outOfTheBox(folder)
                        .write("/sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet acpi_pm\n")
                        .report(),
                "clock-source");
        assertThat(clock.remedies()).isEmpty();
        assertThat(clock.text()).contains("trusts no faster clock");
    }

    @Test
    void sendQueuesAreDividedAmongProcessors() {
        KeptMachine machine = tuned(folder);
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
    void stealIsToldWhereAHypervisorTakesTime() {
        KeptMachine machine = tuned(folder).write("/proc/stat", "cpu  100 0 200 700 0 0 0 0 0 0\n");
        assertThat(only(machine.report(), "steal-time").severity()).isEqualTo(Severity.FINE);
        machine.write("/proc/stat", "cpu  120 0 220 720 0 0 0 40 0 0\n");
        Finding steal = only(machine.report(), "steal-time");
        assertThat(steal.severity()).isEqualTo(Severity.ADVICE);
        assertThat(steal.text()).contains("3 % of the processors' time since the start, and 40 % just now");
    }
}
