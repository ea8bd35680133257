package io.offhook.testkit.network;

import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Network namespaces of one test, joined by veth pairs, without traffic except that of the test, and the processes that
 * it starts in them. When it is closed, or the JVM ends, all of them are gone. Needs root and {@code ip}.
 *
 * <pre>
 * pair:     left [left] ------ [right] right
 * routed:   left [l0] ------ [m0] middle [m1] ------ [r0] right
 * </pre>
 */
public final class Network implements AutoCloseable {
    /** The device in the left namespace of a {@link #pair}. */
    public static final String LEFT = "left";

    /** The device in the right namespace of a {@link #pair}. */
    public static final String RIGHT = "right";

    private static final String ALL_DEVICES_TO_COME = "default";

    private final List<Namespace> namespaces = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final Thread cleanUp = new Thread(this::removeAtExit, "remove network");
    private final Namespace left;
    private final Namespace right;
    private final @Nullable Namespace middle;

    private Network(boolean isRouted) throws IOException {
        Runtime.getRuntime().addShutdownHook(cleanUp);
        try {
            left = add("l");
            right = add("r");
            middle = isRouted ? add("m") : null;
            if (middle == null) {
                left.silence(ALL_DEVICES_TO_COME);
                right.silence(ALL_DEVICES_TO_COME);
                wire();
            } else {
                middle.silence(ALL_DEVICES_TO_COME);
                left.ip("link", "set", "lo", "up");
                right.ip("link", "set", "lo", "up");
                joinMiddle(middle, "1");
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns whether networks can be created here: a condition of tests. */
    public static boolean isPossible() {
        boolean hasIp =
                Stream.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").anyMatch(ip -> Files.isExecutable(Path.of(ip)));
        return hasIp && System.getProperty("user.name").equals("root");
    }

    /** Two namespaces, {@link #LEFT} in one joined to {@link #RIGHT} in the other. */
    public static Network pair() throws IOException {
        return new Network(false);
    }

    /**
     * Returns two hosts, and between them a namespace with a device to each, which forwards nothing by itself. Hosts send
     * packets one by one; otherwise the kernel would deliver several merged into one.
     */
    public static Network routed() throws IOException {
        return new Network(true);
    }

    private Namespace add(String label) throws IOException {
        String unique = ProcessHandle.current().pid() + "-" + Integer.toHexString(System.identityHashCode(this));
        Namespace namespace = new Namespace("offhook-" + label + "-" + unique);
        Program.run("ip", "netns", "add", namespace.name());
        namespaces.add(namespace);
        return namespace;
    }

    /** The namespace of the left end. */
    public Namespace left() {
        return left;
    }

    /** The namespace of the right end. */
    public Namespace right() {
        return right;
    }

    /** Returns the namespace between the hosts of a {@link #routed} network. */
    public Namespace middle() {
        if (middle == null) {
            throw new IllegalStateException("a pair has no middle");
        }
        return middle;
    }

    /**
     * Joins the ends of a pair, also again after a device was deleted.
     *
     * @param options of both devices: {@code numtxqueues 2}
     */
    public void wire(String... options) throws IOException {
        join(left, LEFT, right, RIGHT, options);
    }

    /** Replaces the links of a routed network by links with this number of queues at each end. */
    public void withQueues(int queues) throws IOException {
        middle().ip("link", "del", "m0");
        middle().ip("link", "del", "m1");
        joinMiddle(middle(), Integer.toString(queues));
    }

    private void joinMiddle(Namespace between, String queues) throws IOException {
        String[] options = {"numrxqueues", queues, "numtxqueues", queues};
        join(left, "l0", between, "m0", options);
        join(right, "r0", between, "m1", options);
        left.ip("link", "set", "l0", "gso_max_segs", "1");
        right.ip("link", "set", "r0", "gso_max_segs", "1");
    }

    private static void join(Namespace one, String device, Namespace other, String peer, String... options)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("link", "add", device));
        words.addAll(List.of(options));
        words.addAll(List.of("type", "veth", "peer", "name", peer));
        words.addAll(List.of(options));
        words.addAll(List.of("netns", other.name()));
        one.ip(words.toArray(String[]::new));
        one.ip("link", "set", device, "up");
        other.ip("link", "set", peer, "up");
    }

    /** Puts a queueing discipline, as tc(8) has them, before the left end of a pair. */
    public void leftQueue(String discipline) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("tc", "-n", left.name(), "qdisc", "replace", "dev", LEFT, "root"));
        command.addAll(List.of(discipline.split(" ", -1)));
        Program.run(command.toArray(String[]::new));
    }

    /** Makes the processor send by that queue of the left end of a pair. */
    public void leftQueueOf(int processor, int queue) throws IOException {
        String mask = Long.toHexString(1L << processor);
        left.run("sh", "-c", "echo " + mask + " > /sys/class/net/" + LEFT + "/queues/tx-" + queue + "/xps_cpus");
    }

    /** Sends frames from the left end of a pair, in their order. */
    public void send(List<byte[]> frames) throws Exception {
        left.on(() -> FrameSocket.send(LEFT, frames));
    }

    /** Starts a process, usually by {@link Namespace#command}, which is ended with the network. */
    public Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** @throws IOException when a namespace could not be removed; the others are */
    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(cleanUp);
        IOException failure = remove();
        if (failure != null) {
            throw failure;
        }
    }

    private void removeAtExit() {
        IOException failure = remove();
        if (failure != null) {
            System.err.println(failure.getMessage());
        }
    }

    private @Nullable IOException remove() {
        for (Process process : processes) {
            process.destroyForcibly();
            process.onExit().join();
        }
        IOException failure = null;
        for (Namespace namespace : namespaces) {
            try {
                Program.run("ip", "netns", "del", namespace.name());
            } catch (IOException e) {
                failure = e;
            }
        }
        return failure;
    }
}
