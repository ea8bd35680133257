package io.offhook.live;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.linux.NativeSocket;
import io.offhook.linux.NetworkDevice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/**
 * Two network namespaces of the test's own, joined by a veth pair, {@code left} in one and {@code right} in the other,
 * silent but for what the test sends. Needs root and {@code ip}.
 */
@SuppressWarnings("restricted") // setns is no business of the product
final class TestNetwork implements AutoCloseable {
    static final String LEFT = "left";
    static final String RIGHT = "right";

    private static final int CLONE_NEWNET = 0x40000000;
    private static final int O_CLOEXEC = 0x80000;
    private static final MethodHandle SETNS = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("setns"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle OPEN = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("open"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));

    private final String leftSpace;
    private final String rightSpace;

    private static final MethodHandle CLOSE = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("close"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    /** Whether there can be one here; the condition of tests that need one. */
    static boolean isPossible() {
        boolean hasIp =
                Stream.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").anyMatch(ip -> Files.isExecutable(Path.of(ip)));
        return hasIp && System.getProperty("user.name").equals("root");
    }

    TestNetwork() throws IOException {
        String unique = ProcessHandle.current().pid() + "-" + Integer.toHexString(System.identityHashCode(this));
        leftSpace = "offhook-l-" + unique;
        rightSpace = "offhook-r-" + unique;
        ip("netns", "add", leftSpace);
        ip("netns", "add", rightSpace);
        for (String space : List.of(leftSpace, rightSpace)) {
            // no router solicitations among the packets of the test
            run(List.of(
                    "ip", "netns", "exec", space, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6"));
        }
        wire();
    }

    /**
     * Joins them; where they are joined already, once one end was deleted.
     *
     * @param options of both ends: {@code numtxqueues 2}
     */
    void wire(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("-n", leftSpace, "link", "add", LEFT));
        all.addAll(List.of(options));
        all.addAll(List.of("type", "veth", "peer", "name", RIGHT));
        all.addAll(List.of(options));
        all.addAll(List.of("netns", rightSpace));
        ip(all.toArray(String[]::new));
        ip("-n", leftSpace, "link", "set", LEFT, "up");
        ip("-n", rightSpace, "link", "set", RIGHT, "up");
    }

    /** {@code ip ...} in the namespace of the right end. */
    void right(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("-n", rightSpace));
        all.addAll(List.of(arguments));
        ip(all.toArray(String[]::new));
    }

    /** Puts a queueing discipline, as tc(8) has them, before the left end. */
    void leftQueue(String discipline) throws IOException {
        List<String> command = new ArrayList<>(List.of("tc", "-n", leftSpace, "qdisc", "replace", "dev", LEFT, "root"));
        command.addAll(List.of(discipline.split(" ", -1)));
        run(command);
    }

    /** Has the processor send by that queue of the left end. */
    void leftQueueOf(int processor, int queue) throws IOException {
        String mask = Long.toHexString(1L << processor);
        run(leftCommand(
                "sh", "-c", "echo " + mask + " > /sys/class/net/" + LEFT + "/queues/tx-" + queue + "/xps_cpus"));
    }

    /** As {@link #right}, of the left end. */
    void left(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("-n", leftSpace));
        all.addAll(List.of(arguments));
        ip(all.toArray(String[]::new));
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        run(command);
    }

    /** What a command in the namespace of the right end says; it must end well. */
    String rightSays(String... command) throws IOException {
        return run(rightCommand(command));
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
            return said;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** What a command in the namespace of the right end is begun with. */
    List<String> rightCommand(String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", rightSpace));
        all.addAll(List.of(command));
        return all;
    }

    /** As {@link #rightCommand}, of the left end. */
    List<String> leftCommand(String... command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", leftSpace));
        all.addAll(List.of(command));
        return all;
    }

    /** Works on a thread that lives in the namespace of the right end: the sockets it makes stay there. */
    <T> T onRight(Callable<T> work) throws Exception {
        return in(rightSpace, work);
    }

    /** As {@link #onRight}, of the left end. */
    <T> T onLeft(Callable<T> work) throws Exception {
        return in(leftSpace, work);
    }

    /** Sends frames from the left end, in their order. */
    void send(List<byte[]> frames) throws Exception {
        in(leftSpace, () -> sendBy(LEFT, frames));
    }

    /** Sends frames from an interface of the calling thread's namespace, in their order. */
    static int sendBy(String interfaceName, List<byte[]> frames) {
        NetworkDevice device = NetworkDevice.named(interfaceName);
        if (device == null) {
            throw new IllegalStateException(interfaceName + " has gone");
        }
        try (NativeSocket socket = NativeSocket.open(IfPacket.AF_PACKET, IfPacket.SOCK_RAW, 0, "open to send");
                Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(IfPacket.ADDRESS_BYTES, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) IfPacket.AF_PACKET);
            // not ETH_P_ALL: it sends only
            address.set(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) 0);
            address.set(JAVA_INT, 4, device.index());
            socket.bind(address, "bind to send");
            MemorySegment room = arena.allocate(65_536);
            for (byte[] frame : frames) {
                MemorySegment.copy(frame, 0, room, ValueLayout.JAVA_BYTE, 0, frame.length);
                long sent;
                do {
                    sent = socket.send(room.asSlice(0, frame.length), 0);
                } while (sent == -105); // ENOBUFS: the device's queue is full
                if (sent != frame.length) {
                    throw new IllegalStateException("sending " + frame.length + " bytes gave " + sent);
                }
            }
        }
        return frames.size();
    }

    private static <T> T in(String space, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(() -> {
            try (Arena arena = Arena.ofConfined()) {
                int descriptor = (int) OPEN.invoke(arena.allocateFrom("/run/netns/" + space), O_CLOEXEC);
                if (descriptor < 0 || (int) SETNS.invoke(descriptor, CLONE_NEWNET) != 0) {
                    throw new IllegalStateException("cannot enter namespace " + space);
                }
                int _ = (int) CLOSE.invoke(descriptor);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            return work.call();
        });
        Thread.ofPlatform().start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        ip("netns", "del", leftSpace);
        ip("netns", "del", rightSpace);
    }
}
