package io.offhook.forward;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
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
 * Three network namespaces: hosts {@code left} and {@code right}, and between them {@code middle}, which has an interface to
 * each, {@code m0} and {@code m1}, and is deaf but for what a test runs there. Needs root and {@code ip}.
 */
@SuppressWarnings("restricted") // setns is no business of the product
final class ForwardNetwork implements AutoCloseable {
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
    private static final MethodHandle CLOSE = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("close"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    final String left;
    final String middle;
    final String right;

    /** Whether there can be one here; the condition of tests that need one. */
    static boolean isPossible() {
        boolean hasIp =
                Stream.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").anyMatch(ip -> Files.isExecutable(Path.of(ip)));
        return hasIp && System.getProperty("user.name").equals("root");
    }

    ForwardNetwork() throws IOException {
        String unique = ProcessHandle.current().pid() + "-" + Integer.toHexString(System.identityHashCode(this));
        left = "offhook-fl-" + unique;
        middle = "offhook-fm-" + unique;
        right = "offhook-fr-" + unique;
        for (String space : List.of(left, middle, right)) {
            run("ip", "netns", "add", space);
        }
        in(middle, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6");
        join(1);
    }

    private void join(int queues) throws IOException {
        join(left, "l0", "m0", String.valueOf(queues));
        join(right, "r0", "m1", String.valueOf(queues));
    }

    /** Makes the links anew, with so many queues at each end. */
    void withQueues(int queues) throws IOException {
        run("ip", "-n", middle, "link", "del", "m0");
        run("ip", "-n", middle, "link", "del", "m1");
        join(queues);
    }

    /** Nothing comes from a host but what a test sends. */
    void silence(String host, String device) throws IOException {
        in(host, "sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/" + device + "/disable_ipv6");
    }

    /** Hosts send packets one by one: the kernel would hand over several as one. */
    private void join(String host, String name, String inTheMiddle, String queues) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "-n", host, "link", "add", name));
        command.addAll(List.of("numrxqueues", queues, "numtxqueues", queues, "type", "veth"));
        command.addAll(List.of("peer", "name", inTheMiddle, "numrxqueues", queues, "numtxqueues", queues));
        command.addAll(List.of("netns", middle));
        run(command.toArray(String[]::new));
        run("ip", "-n", host, "link", "set", name, "gso_max_segs", "1");
        run("ip", "-n", host, "link", "set", name, "up");
        run("ip", "-n", host, "link", "set", "lo", "up");
        run("ip", "-n", middle, "link", "set", inTheMiddle, "up");
    }

    void address(String space, String device, String prefix) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "-n", space, "addr", "add", prefix, "dev", device));
        if (prefix.indexOf(':') >= 0) {
            command.add("nodad");
        }
        run(command.toArray(String[]::new));
    }

    /** What a command in a namespace says; it must end well. */
    static String in(String space, String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", space));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return said;
    }

    /** Works on a thread that lives in a namespace: the sockets it makes stay there. */
    static <T> FutureTask<T> start(String space, Callable<T> work) {
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
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /** As {@link #start}, and waits. */
    static <T> T on(String space, Callable<T> work) throws Exception {
        try {
            return start(space, work).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        for (String space : List.of(left, middle, right)) {
            run("ip", "netns", "del", space);
        }
    }
}
