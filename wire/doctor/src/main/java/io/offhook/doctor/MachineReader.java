package io.offhook.doctor;

import io.offhook.linux.network.NetworkDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the machine. */
final class MachineReader {
    private static final String PROCESSORS = "/sys/devices/system/cpu";
    private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0/";

    /** A setting that only the host's network namespace has. */
    private static final String HOST_ONLY = "net.core.netdev_max_backlog";

    private static final List<String> SYSCTLS = List.of(
            "net.core.rmem_default",
            "net.core.rmem_max",
            "net.core.wmem_default",
            "net.core.wmem_max",
            HOST_ONLY,
            "net.core.netdev_budget",
            "net.core.netdev_budget_usecs",
            "net.core.somaxconn",
            "net.ipv4.udp_mem",
            "net.ipv4.conf.all.rp_filter",
            "net.ipv4.ipfrag_high_thresh");

    /** Exists only if the conntrack module is loaded. */
    private static final String CONNECTIONS = "net.netfilter.nf_conntrack_max";

    /** The size on most machines. */
    private static final long HUGE_PAGE_KB = 2048;

    private final SystemTree tree;
    private final KernelTables tables;

    MachineReader(SystemTree tree, KernelTables tables) {
        this.tree = tree;
        this.tables = tables;
    }

    Machine read(List<String> interfaces) {
        Map<String, String> sysctls = sysctls();
        List<Integer> processors = Numbers.list(tree.word(PROCESSORS + "/online"));
        Map<Integer, String> names = new TreeMap<>();
        for (String name : tree.names(SystemTree.INTERFACES)) {
            Long index = tree.number(SystemTree.INTERFACES + "/" + name + "/ifindex");
            if (index != null) {
                names.put(index.intValue(), name);
            }
        }
        String text = tree.text("/proc/interrupts", "which processors take the interrupts");
        List<Interrupts> interrupts = text == null ? List.of() : Interrupts.parse(text);
        List<NetworkCard> cards = new ArrayList<>();
        for (String name : interfaces) {
            cards.add(card(name, interrupts));
        }
        Map<String, List<Integer>> governors = new TreeMap<>();
        for (int processor : processors) {
            String governor = tree.word(PROCESSORS + "/cpu" + processor + "/cpufreq/scaling_governor");
            if (!governor.isEmpty()) {
                governors.computeIfAbsent(governor, _ -> new ArrayList<>()).add(processor);
            }
        }
        return new Machine(
                sysctls,
                sysctls.containsKey(HOST_ONLY),
                List.copyOf(cards),
                names,
                processors,
                siblings(processors),
                governors,
                processors.isEmpty()
                        ? ""
                        : tree.word(PROCESSORS + "/cpu" + processors.getFirst() + "/cpufreq/scaling_driver"),
                numaNodes(),
                tree.word("/proc/sys/kernel/osrelease"),
                tree.word(CLOCK + "current_clocksource"),
                List.of(Numbers.words(tree.word(CLOCK + "available_clocksource"))),
                hugePages(),
                hugePageKb(),
                capabilities(),
                limit("Max locked memory"),
                limit("Max open files"),
                new Cgroup(tree).quota(),
                hasProcess("irqbalance"));
    }

    private Map<String, String> sysctls() {
        Map<String, String> values = new LinkedHashMap<>();
        boolean isHost = tree.exists(path(HOST_ONLY));
        for (String name : SYSCTLS) {
            if (!tree.exists(path(name)) && tree.exists("/proc/sys/net") && !isHost) {
                tree.note(
                        name,
                        path(name),
                        "it is not in this network namespace",
                        "look on the host, or run it behind nsenter -t 1 -m -n");
                continue;
            }
            String text = tree.text(path(name), name);
            if (text != null) {
                values.put(name, String.join(" ", Numbers.words(text)));
            }
        }
        String connections = tree.optional(path(CONNECTIONS));
        if (connections != null) {
            values.put(CONNECTIONS, connections.strip());
        }
        return values;
    }

    private static String path(String sysctl) {
        return "/proc/sys/" + sysctl.replace('.', '/');
    }

    private NetworkCard card(String name, List<Interrupts> interrupts) {
        String folder = SystemTree.INTERFACES + "/" + name;
        if (!tree.exists(folder) && tree.exists(SystemTree.INTERFACES)) {
            tree.note("how " + name + " is set up", folder, "it is not there", "");
        }
        int receiveQueues = 0;
        Map<String, String> steering = new TreeMap<>();
        Map<String, String> sendSteering = new LinkedHashMap<>();
        for (String queue : tree.names(folder + "/queues")) {
            if (queue.startsWith("rx-")) {
                receiveQueues++;
                String processors = tree.word(folder + "/queues/" + queue + "/rps_cpus");
                if (!processors.isEmpty()) {
                    steering.put(queue, processors);
                }
            }
        }
        // ordered by number; a card with a single queue has no mask
        for (int i = 0; tree.exists(folder + "/queues/tx-" + i); i++) {
            String queue = folder + "/queues/tx-" + i;
            String processors = tree.word(queue + "/xps_cpus");
            if (!processors.isEmpty()) {
                // if send queues are chosen by receive queue, the processor masks are not used
                sendSteering.put("tx-" + i, processors + "," + tree.word(queue + "/xps_rxqs"));
            }
        }
        List<Interrupts> own = new ArrayList<>();
        Map<Integer, List<Integer>> affinities = new TreeMap<>();
        List<Integer> numbers = interruptNumbers(folder);
        for (Interrupts one : interrupts) {
            if (numbers.contains(one.number())
                    || one.name().startsWith(name + "-")
                    || one.name().equals(name)) {
                own.add(one);
                String affinity = tree.word("/proc/irq/" + one.number() + "/effective_affinity_list");
                List<Integer> processors = Numbers.list(
                        affinity.isEmpty() ? tree.word("/proc/irq/" + one.number() + "/smp_affinity_list") : affinity);
                if (!processors.isEmpty()) {
                    affinities.put(one.number(), processors);
                }
            }
        }
        return new NetworkCard(
                name,
                intOr(tree.number(folder + "/ifindex"), 0),
                tree.exists(folder + "/device"),
                Math.max(0, NetworkDevice.speedMbps(tree.word(folder + "/speed"))),
                intOr(tree.number(folder + "/tx_queue_len"), -1),
                receiveQueues,
                steering,
                sendSteering,
                intOr(tree.number(folder + "/device/numa_node"), -1),
                List.copyOf(own),
                affinities,
                tables.card(name, tree));
    }

    private static int intOr(@Nullable Long number, int otherwise) {
        return number == null ? otherwise : Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** The message-signalled interrupts of the device; for virtio, of its parent. */
    private List<Integer> interruptNumbers(String folder) {
        List<String> names = tree.names(folder + "/device/msi_irqs");
        if (names.isEmpty() && tree.link(folder + "/device/driver") != null) {
            names = tree.names(folder + "/device/../msi_irqs");
        }
        return names.stream()
                .map(Numbers::parse)
                .filter(number -> number != null)
                .map(Long::intValue)
                .toList();
    }

    private List<List<Integer>> siblings(List<Integer> processors) {
        List<List<Integer>> siblings = new ArrayList<>();
        for (int processor : processors) {
            List<Integer> core =
                    Numbers.list(tree.word(PROCESSORS + "/cpu" + processor + "/topology/thread_siblings_list"));
            if (core.size() > 1 && !siblings.contains(core)) {
                siblings.add(core);
            }
        }
        return siblings;
    }

    private Map<Integer, List<Integer>> numaNodes() {
        Map<Integer, List<Integer>> nodes = new TreeMap<>();
        for (String name : tree.names("/sys/devices/system/node")) {
            if (name.matches("node\\d{1,6}")) {
                nodes.put(
                        Integer.parseInt(name.substring(4)),
                        Numbers.list(tree.word("/sys/devices/system/node/" + name + "/cpulist")));
            }
        }
        return nodes;
    }

    private Map<Long, Long> hugePages() {
        Map<Long, Long> pages = new TreeMap<>();
        for (String name : tree.names("/sys/kernel/mm/hugepages")) {
            Matcher size = Pattern.compile("hugepages-(\\d{1,12})kB").matcher(name);
            Long count = tree.number("/sys/kernel/mm/hugepages/" + name + "/nr_hugepages");
            if (size.matches() && count != null) {
                pages.put(Long.parseLong(size.group(1)), count);
            }
        }
        return pages;
    }

    private long hugePageKb() {
        Matcher line = Pattern.compile("(?m)^Hugepagesize:\\s+(\\d{1,12}) kB$").matcher(tree.word("/proc/meminfo"));
        return line.find() ? Math.max(1, Numbers.orZero(line.group(1))) : HUGE_PAGE_KB;
    }

    private long capabilities() {
        Matcher line = Pattern.compile("(?m)^CapEff:\\s*([0-9a-f]{1,16})$").matcher(tree.word("/proc/self/status"));
        return line.find() ? Numbers.hex(line.group(1)) : -1;
    }

    /** The hard limit; Java raises the soft limit on files to it. */
    private long limit(String name) {
        Matcher line =
                Pattern.compile("(?m)^" + name + "\\s+\\S+\\s+(\\d{1,19})\\s").matcher(tree.word("/proc/self/limits"));
        return line.find() ? Numbers.orZero(line.group(1)) : -1;
    }

    private boolean hasProcess(String command) {
        for (String name : tree.names("/proc")) {
            if (Numbers.parse(name) != null
                    && tree.word("/proc/" + name + "/comm").equals(command)) {
                return true;
            }
        }
        return false;
    }
}
