package io.offhook.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Examines a Linux machine for what would lose packets: settings of the kernel, of network cards and of processors, and
 * counters of drops. Call {@link #look()} at least twice; the report compares the last two looks, and the caller
 * chooses the time between them. Needs no capability, but only root can see the owners of all sockets. Changes nothing.
 * Not thread-safe.
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
    /** Why the set-up of interfaces is unknown; null if it is known. */
    private @Nullable Unread unseen;

    private @Nullable Sample before;
    private @Nullable Sample now;
    /** Drops that sockets reported and UDP did not yet, because UDP is read before them. */
    private long ahead;
    /** Drops between the last two looks that UDP counted and no socket reported. */
    private long unreported;

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
     * The existing interfaces: those of {@code /sys}, unless it has none. A process that entered another network
     * namespace only ({@code nsenter -n}) still has the {@code /sys} of the former one; {@code /proc} is then
     * authoritative.
     */
    private List<String> found() {
        List<String> folders = folders();
        List<String> counted = counted();
        for (int tries = 1; isOther(folders, counted) && tries < MOST_TRIES; tries++) {
            // an interface may have appeared or disappeared meanwhile
            folders = folders();
            counted = counted();
        }
        if (isOther(folders, counted)) {
            tree.hideInterfaces();
            unseen = new Unread(
                    SET_UP,
                    SystemTree.INTERFACES,
                    "it is that of another network namespace",
                    "run it behind unshare -m and mount -t sysfs sysfs /sys");
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
        // the folder also contains a file, the list of bonds
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
     * Examines the machine and network namespace of this process.
     *
     * @param interfaces the interfaces to examine; empty for all that are up, except the loopback
     * @throws IllegalArgumentException if one of them does not exist
     */
    public static Doctor ofThisMachine(List<String> interfaces) {
        return new Doctor(new SystemTree(Path.of("/")), new LiveTables(), interfaces);
    }

    /**
     * Examines another machine by a copy of its {@code /proc} and {@code /sys}. Values that only the kernel itself
     * reports (rings, offloads, limits of sockets) are missing, and the report lists them as unread.
     *
     * @param root the folder that contains {@code proc} and {@code sys}
     * @param interfaces the interfaces to examine; empty for all that are up, except the loopback
     * @throws IllegalArgumentException if one of them does not exist
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

    /** The interfaces that are examined. */
    public List<String> interfaces() {
        return interfaces;
    }

    /** Reads the counters. What cannot be read is listed in the report. */
    public void look() {
        Sample earlier = now;
        Sample latest = sampler.sample(interfaces);
        before = earlier;
        now = latest;
        if (earlier != null) {
            long reported = ahead + Losses.ofSockets(losses());
            long counted = Losses.udpGrown(earlier, latest, "RcvbufErrors");
            unreported = Math.max(0, counted - reported);
            // sockets also drop damaged datagrams, and those that their filters reject
            ahead = Math.max(0, reported - Math.max(counted, Losses.udpGrown(earlier, latest, "InErrors")));
        }
    }

    private Sample latest() {
        if (now == null) {
            throw new IllegalStateException("no counters were read; call look() first");
        }
        return now;
    }

    /** The places where packets were lost at any time, with their growth between the last two looks. */
    public List<Loss> losses() {
        Sample latest = latest();
        return Losses.between(before == null ? latest : before, latest, interfaceNames);
    }

    /**
     * The places where packets were lost between the last two looks; a packet that the kernel counts twice is listed
     * once.
     */
    public List<Loss> growing() {
        return Losses.growing(losses(), unreported);
    }

    /** The queues that grew between the last two looks. */
    public List<QueueLevel> fillingQueues() {
        Sample latest = latest();
        return Losses.filling(before == null ? latest : before, latest, interfaceNames);
    }

    /**
     * Evaluates the last two looks and the settings of the machine.
     *
     * @throws IllegalStateException if {@link #look()} was not called
     */
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
