package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Rules on processors: the distribution of the cards' interrupts, frequencies and the clock. */
final class ProcessorRules {
    private static final String SCALING = "Documentation/networking/scaling.rst";
    private static final Set<String> SLOW_CLOCKS = Set.of("hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies");

    private ProcessorRules() {}

    static void examine(Diagnosis diagnosis) {
        for (NetworkCard card : diagnosis.machine().cards()) {
            interrupts(diagnosis, card);
            steering(diagnosis, card);
            sendSteering(diagnosis, card);
            node(diagnosis, card);
        }
        governor(diagnosis);
        siblings(diagnosis);
        clock(diagnosis);
        steal(diagnosis);
    }

    /** The processors near the card. */
    private static List<Integer> near(Machine machine, NetworkCard card) {
        List<Integer> near = machine.numaNodes().getOrDefault(card.numaNode(), List.of()).stream()
                .filter(machine.processors()::contains)
                .toList();
        return near.isEmpty() ? machine.processors() : near;
    }

    /** The interrupts of queues; others, such as link events, are too rare to matter. */
    private static List<Interrupts> busy(NetworkCard card) {
        long most =
                card.interrupts().stream().mapToLong(Interrupts::total).max().orElse(0);
        return card.interrupts().stream()
                .filter(one -> one.total() > 0 && one.total() * 100 >= most)
                .toList();
    }

    private static void interrupts(Diagnosis diagnosis, NetworkCard card) {
        Machine machine = diagnosis.machine();
        List<Interrupts> busy = busy(card);
        List<Integer> near = near(machine, card);
        // with one queue, or on a node of one processor, there is nothing to spread; packet steering covers that case
        if (busy.size() < 2 || card.receiveQueues() < 2 || near.size() < 2) {
            return;
        }
        Set<Integer> processors = new TreeSet<>();
        boolean isReported = true;
        for (Interrupts one : busy) {
            List<Integer> affinity = card.affinities().getOrDefault(one.number(), List.of());
            isReported &= !affinity.isEmpty();
            processors.addAll(affinity);
        }
        int only = Interrupts.onlyProcessor(busy);
        // the affinities count; without them, the past distribution is the next best
        boolean isOne = isReported ? processors.size() == 1 : only >= 0;
        if (!isOne) {
            Finding.Builder fine = diagnosis.fine(
                    "interrupt-affinity",
                    card.name(),
                    busy.size() + " interrupts go to "
                            + (isReported ? "CPU " + Numbers.ranges(List.copyOf(processors)) : "several processors"));
            if (isReported) {
                fine.setting("smp_affinity_list", Numbers.ranges(List.copyOf(processors)), null, "processors");
            }
            return;
        }
        int taken = isReported ? processors.iterator().next() : only;
        Finding.Builder finding = diagnosis
                .add(
                        Severity.WOULD_LOSE,
                        "interrupt-affinity",
                        card.name(),
                        "all of its " + busy.size() + " interrupts go to CPU " + taken
                                + (machine.hasIrqbalance() ? ", though irqbalance runs" : ""))
                .setting("smp_affinity_list", taken, Numbers.ranges(near), "processors")
                .because(
                        "the processor that takes a queue's interrupt does all the kernel's work for its packets; with"
                                + " one for all queues, the card's ring fills as soon as that processor is busy",
                        SCALING + ", RSS IRQ Configuration; Documentation/core-api/irq/irq-affinity.rst");
        if (machine.hasIrqbalance()) {
            finding.command("systemctl stop irqbalance");
        }
        for (int i = 0; i < busy.size(); i++) {
            finding.command("echo " + near.get(i % near.size()) + " > /proc/irq/"
                    + busy.get(i).number() + "/smp_affinity_list");
        }
    }

    private static void steering(Diagnosis diagnosis, NetworkCard card) {
        Machine machine = diagnosis.machine();
        if (!card.isDevice() || card.receiveQueues() == 0) {
            return;
        }
        boolean canSteer = !card.steering().isEmpty() && machine.processors().size() > 1;
        if (card.receiveQueues() > 1 || card.isSteered() || !canSteer) {
            diagnosis.fine(
                    "packet-steering",
                    card.name(),
                    Numbers.count(card.receiveQueues(), "receive queue") + (card.isSteered() ? ", and RPS is on" : ""));
            return;
        }
        String mask = Numbers.mask(near(machine, card));
        diagnosis
                .add(
                        Severity.ADVICE,
                        "packet-steering",
                        card.name(),
                        "one receive queue, and RPS is off: one processor does all the kernel's work")
                .setting("rps_cpus", card.steering().values().iterator().next(), mask, "as a mask")
                .because(
                        "RPS lets other processors do the work above the driver; the packets of a flow stay in order",
                        SCALING + ", RPS: Suggested Configuration")
                .command("echo " + mask + " > /sys/class/net/" + card.quotedName() + "/queues/rx-0/rps_cpus");
    }

    private static void sendSteering(Diagnosis diagnosis, NetworkCard card) {
        List<Integer> processors = diagnosis.machine().processors();
        int queues = card.sendSteering().size();
        if (!card.isDevice() || queues < 2 || processors.size() < 2) {
            return;
        }
        if (card.isSendSteered()) {
            diagnosis.fine("send-steering", card.name(), Numbers.count(queues, "send queue") + ", and XPS is on");
            return;
        }
        List<String> masks = new ArrayList<>();
        for (int queue = 0; queue < Math.min(queues, processors.size()); queue++) {
            List<Integer> own = new ArrayList<>();
            for (int i = queue; i < processors.size(); i += queues) {
                own.add(processors.get(i));
            }
            masks.add(Numbers.mask(own));
        }
        Finding.Builder finding = diagnosis
                .add(
                        Severity.ADVICE,
                        "send-steering",
                        card.name(),
                        Numbers.count(queues, "send queue") + ", and XPS is off: each processor uses all of them")
                .setting("xps_cpus", "0", masks.getFirst(), "as a mask")
                .because(
                        "processors that share a send queue contend for its lock, and move its memory between their"
                                + " caches; with XPS each has its own queue",
                        SCALING + ", XPS: Suggested Configuration");
        List<String> names = List.copyOf(card.sendSteering().keySet());
        for (int i = 0; i < masks.size(); i++) {
            finding.command("echo " + masks.get(i) + " > /sys/class/net/" + card.quotedName() + "/queues/"
                    + names.get(i) + "/xps_cpus");
        }
    }

    private static void node(Diagnosis diagnosis, NetworkCard card) {
        Machine machine = diagnosis.machine();
        if (machine.numaNodes().size() < 2 || card.numaNode() < 0) {
            return;
        }
        List<Integer> near = near(machine, card);
        List<Interrupts> far = new ArrayList<>();
        for (Interrupts one : busy(card)) {
            List<Integer> affinity = card.affinities().getOrDefault(one.number(), List.of());
            if (!affinity.isEmpty() && affinity.stream().noneMatch(near::contains)) {
                far.add(one);
            }
        }
        String text = "it is nearest to CPU " + Numbers.ranges(near) + " (NUMA node " + card.numaNode() + ")";
        if (far.isEmpty()) {
            diagnosis.fine("numa-node", card.name(), text + ": pin lanes that capture from it there");
            return;
        }
        Finding.Builder finding = diagnosis
                .add(
                        Severity.ADVICE,
                        "numa-node",
                        card.name(),
                        text + ", but " + far.size() + " of its interrupts go to other processors")
                .because(
                        "each packet is then read from the memory of another node",
                        SCALING + ", RSS: Suggested Configuration; irq-affinity.rst");
        for (int i = 0; i < far.size(); i++) {
            finding.command("echo " + near.get(i % near.size()) + " > /proc/irq/"
                    + far.get(i).number() + "/smp_affinity_list");
        }
    }

    private static void governor(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        List<Integer> others = new ArrayList<>();
        machine.governors().forEach((name, processors) -> {
            if (!name.equals("performance")) {
                others.addAll(processors);
            }
        });
        others.sort(null);
        if (others.isEmpty()) {
            if (machine.governors().isEmpty()) {
                diagnosis.fine("cpu-governor", "", "this system does not scale frequencies");
            } else {
                diagnosis
                        .fine("cpu-governor", "", "all processors use the governor performance")
                        .setting("scaling_governor", "performance", null, "");
            }
            return;
        }
        String names = String.join(", ", machine.governors().keySet());
        diagnosis
                .add(
                        Severity.ADVICE,
                        "cpu-governor",
                        "",
                        "CPU " + Numbers.ranges(others) + (others.size() == 1 ? " is" : " are")
                                + " slowed down when idle"
                                + (machine.scalingDriver().isEmpty()
                                        ? ""
                                        : " (driver " + machine.scalingDriver() + ")"))
                .setting("scaling_governor", names, "performance", "")
                .because(
                        "a processor that a burst wakes needs time to reach full speed, and the ring fills"
                                + " meanwhile; this setting costs power",
                        "Documentation/admin-guide/pm/cpufreq.rst, scaling governors")
                .command(
                        "for f in /sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do echo performance > $f;"
                                + " done");
    }

    private static void siblings(Diagnosis diagnosis) {
        List<List<Integer>> siblings = diagnosis.machine().siblings();
        if (!siblings.isEmpty()) {
            List<Integer> first = siblings.stream().map(List::getFirst).sorted().toList();
            diagnosis.fine(
                    "hyper-threads",
                    "",
                    "two processors share a core (as CPU " + Numbers.ranges(siblings.getFirst())
                            + "): pin busy lanes and interrupts to CPU " + Numbers.ranges(first) + " only");
        }
    }

    private static void clock(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        String clock = machine.clockSource();
        if (!SLOW_CLOCKS.contains(clock)) {
            if (!clock.isEmpty()) {
                diagnosis
                        .fine("clock-source", "", "time is read from " + clock)
                        .setting("current_clocksource", clock, null, "");
            }
            return;
        }
        String better = List.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter").stream()
                .filter(machine.clockSources()::contains)
                .findFirst()
                .orElse("");
        Finding.Builder finding = diagnosis
                .add(
                        Severity.ADVICE,
                        "clock-source",
                        "",
                        "time is read from " + clock
                                + (better.isEmpty() ? ", and the kernel trusts no faster clock here" : ""))
                .because(
                        "each packet is timestamped, and reading this clock takes about a microsecond instead of"
                                + " some nanoseconds",
                        "Documentation/timers/timekeeping.rst");
        if (!better.isEmpty()) {
            finding.setting("current_clocksource", clock, better, "")
                    .command("echo " + better + " > /sys/devices/system/clocksource/clocksource0/current_clocksource");
        }
    }

    private static void steal(Diagnosis diagnosis) {
        long total = diagnosis.now().protocol("cpu.total");
        long stolen = diagnosis.now().protocol("cpu.steal");
        long totalNow = total - diagnosis.before().protocol("cpu.total");
        long stolenNow = stolen - diagnosis.before().protocol("cpu.steal");
        boolean isNow = totalNow >= 50 && stolenNow * 100 >= totalNow;
        boolean isEver = total > 0 && stolen * 100 >= total;
        if (!isNow && !isEver) {
            if (total > 0) {
                diagnosis.fine("steal-time", "", "the hypervisor took less than 1 % of the processors' time");
            }
            return;
        }
        diagnosis
                .add(
                        Severity.ADVICE,
                        "steal-time",
                        "",
                        "the hypervisor took " + stolen * 100 / total + " % of the processors' time since the start"
                                + (isNow ? ", and " + stolenNow * 100 / totalNow + " % just now" : ""))
                .because(
                        "while it runs other machines, no ring is emptied: give this machine dedicated processors",
                        "proc_stat(5), steal");
    }
}
