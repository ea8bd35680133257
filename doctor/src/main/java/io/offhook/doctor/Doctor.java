package io.offhook.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a Linux machine for what would lose packets: settings of the kernel, of network cards and processors, and
 * counters of what was dropped. It looks at least twice, and compares: the time between two looks is the caller's. It
 * needs no capability, but only root sees whose all sockets are; it changes nothing. Not thread-safe.
 *
 * <pre>
 *   Doctor doctor = Doctor.ofThisMachine(List.of());
 *   doctor.look();
 *   Thread.sleep(1000);
 *   doctor.look();
 *   doctor.report().findings().forEach(...);
 * </pre>
 */
public final class Doctor {
    private static final String SET_UP = "how interfaces are set up";
    private static final int MOST_TRIES = 3;

    private final SystemTree tree;
    private final Sampler sampler;
    private final MachineReader reader;
    private final List<String> interfaces;
    private final Map<Integer, String> interfaceNames = new LinkedHashMap<>();
    /** Why nothing is known of how interfaces are set up; null where it is. */
    private @Nullable Unread unseen;

    private @Nullable Sample before;
    private @Nullable Sample now;
    /** Drops that sockets told of and UDP did not yet: it is asked before them. */
    private long ahead;
    /** Drops between the last two looks that UDP told of and no socket. */
    private long untold;

    Doctor(SystemTree tree, KernelTables tables, List<String> interfaces) {
        this.tree = tree;
        sampler = new Sampler(tree, tables);
        reader = new MachineReader(tree, tables);
        List<String> found = found();
        for (String name : found) {
            Long index = tree.number(SystemTree.INTERFACES + "/" + name + "/ifindex");
            if (index != null) {
                interfaceNames.put(index.intValue(), name);
            }
        }
        for (String name : interfaces) {
            if (!found.isEmpty() && !found.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no interface " + name + "; there are " + String.join(", ", found));
            }
        }
        this.interfaces = interfaces.isEmpty()
                ? worthLookingAt(found)
                : interfaces.stream().distinct().toList();
    }

    /**
     * The interfaces there are: those of {@code /sys}, unless it has none. Who only entered another network namespace
     * ({@code nsenter -n}) still has the {@code /sys} of the one before, and that of {@code /proc} counts.
     */
    private List<String> found() {
        List<String> folders = folders();
        List<String> counted = counted();
        for (int tries = 1; isOther(folders, counted) && tries < MOST_TRIES; tries++) {
            // one may have come or gone meanwhile
            folders = folders();
            counted = counted();
        }
        if (isOther(folders, counted)) {
            tree.hideInterfaces();
            unseen = new Unread(
                    SET_UP,
                    SystemTree.INTERFACES,
                    "it is that of another network namespace",
                    "unshare -m sh -c 'mount -t sysfs sysfs /sys && exec offhook doctor'");
            return counted;
        }
        if (folders.isEmpty() && !counted.isEmpty()) {
            unseen = new Unread(SET_UP, SystemTree.INTERFACES, "it is not there", "");
            return counted;
        }
        return folders;
    }

    private boolean isOther(List<String> folders, List<String> counted) {
        return tree.isThisMachine() && !folders.isEmpty() && !counted.isEmpty() && !folders.equals(counted);
    }

    private List<String> folders() {
        // a list of bonds is there, too, as a file
        return tree.names(SystemTree.INTERFACES).stream()
                .filter(name -> !tree.isFile(SystemTree.INTERFACES + "/" + name))
                .toList();
    }

    private List<String> counted() {
        String text = tree.optional(Sampler.DEVICES);
        return text == null
                ? List.of()
                : ProtocolCounters.ofDevices(text).keySet().stream().sorted().toList();
    }

    /**
     * Of the machine and network namespace that this runs in.
     *
     * @param interfaces to look at; none for all that are up, the loopback aside
     * @throws IllegalArgumentException where there is no such interface
     */
    public static Doctor ofThisMachine(List<String> interfaces) {
        return new Doctor(new SystemTree(Path.of("/")), new LiveTables(), interfaces);
    }

    /**
     * Of another machine, by a copy of its {@code /proc} and {@code /sys}. What the kernel tells only when asked (rings,
     * offloads, limits of sockets) is missing, and told as such.
     *
     * @param root the folder in which {@code proc} and {@code sys} are
     * @param interfaces as above
     */
    public static Doctor ofCopy(Path root, List<String> interfaces) {
        return new Doctor(new SystemTree(root), new CopiedTables(), interfaces);
    }

    private List<String> worthLookingAt(List<String> names) {
        List<String> chosen = new ArrayList<>();
        for (String name : names) {
            String flags = tree.word(SystemTree.INTERFACES + "/" + name + "/flags");
            boolean isUp = !flags.startsWith("0x") || (Numbers.hex(flags.substring(2)) & 1) != 0;
            if (isUp && !name.equals("lo")) {
                chosen.add(name);
            }
        }
        return List.copyOf(chosen);
    }

    /** The interfaces that are looked at. */
    public List<String> interfaces() {
        return interfaces;
    }

    /** Reads the counters; what cannot be read is told by the report. */
    public void look() {
        Sample earlier = now;
        Sample latest = sampler.sample(interfaces);
        before = earlier;
        now = latest;
        if (earlier != null) {
            long told = ahead + Losses.ofSockets(losses());
            long counted = Losses.udpGrown(earlier, latest, "RcvbufErrors");
            untold = Math.max(0, counted - told);
            // sockets drop damaged datagrams, too, and those that their filters refuse
            ahead = Math.max(0, told - Math.max(counted, Losses.udpGrown(earlier, latest, "InErrors")));
        }
    }

    private Sample latest() {
        if (now == null) {
            throw new IllegalStateException("nothing was looked at: look() comes first");
        }
        return now;
    }

    /** Where packets got lost, at any time; how many between the last two looks. */
    public List<Loss> losses() {
        Sample latest = latest();
        return Losses.between(before == null ? latest : before, latest, interfaceNames);
    }

    /** Where packets got lost between the last two looks; each packet once, where the kernel counts it in two places. */
    public List<Loss> growing() {
        return Losses.growing(losses(), untold);
    }

    /** The queues that got longer between the last two looks. */
    public List<QueueLevel> fillingQueues() {
        Sample latest = latest();
        return Losses.filling(before == null ? latest : before, latest, interfaceNames);
    }

    /** What is found by the last two looks, and by reading how the machine is set up. */
    public DoctorReport report() {
        Sample latest = latest();
        if (unseen != null) {
            tree.note(unseen);
        }
        Machine machine = reader.read(interfaces);
        Diagnosis diagnosis = new Diagnosis(machine, before == null ? latest : before, latest, losses());
        SocketRules.examine(diagnosis);
        KernelRules.examine(diagnosis);
        InterfaceRules.examine(diagnosis);
        ProcessorRules.examine(diagnosis);
        HostRules.examine(diagnosis);
        return new DoctorReport(diagnosis.findings(), tree.takeUnread());
    }
}
