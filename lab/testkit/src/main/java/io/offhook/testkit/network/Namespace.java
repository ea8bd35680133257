package io.offhook.testkit.network;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A network namespace of a {@link Network}. */
@SuppressWarnings("restricted") // setns is no business of the product
public final class Namespace {
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int O_CLOEXEC = 0x80000;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SETNS = function("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final String name;

    Namespace(String name) {
        this.name = name;
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    /** As {@code ip netns} lists it. */
    public String name() {
        return name;
    }

    /** Runs {@code ip ...} in it, which must succeed. */
    public void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "-n", name));
        command.addAll(List.of(arguments));
        Program.run(command.toArray(String[]::new));
    }

    /** Returns what a command in it prints; it must succeed. */
    public String run(String... command) throws IOException {
        return Program.run(command(command).toArray(String[]::new));
    }

    /** The words that start a command in it. */
    public List<String> command(String... words) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
        command.addAll(List.of(words));
        return command;
    }

    /** Gives a device an address: {@code 10.0.0.1/24}. */
    public void address(String device, String prefix) throws IOException {
        if (prefix.indexOf(':') < 0) {
            ip("addr", "add", prefix, "dev", device);
        } else {
            ip("addr", "add", prefix, "dev", device, "nodad");
        }
    }

    /** Stops the kernel from sending by that device of its own accord; "default" is for all future devices. */
    public void silence(String device) throws IOException {
        run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/" + device + "/disable_ipv6");
    }

    /** Runs work on a thread in this namespace; the sockets that it opens stay there. */
    public <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(() -> {
            enter();
            return work.call();
        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /** As {@link #start}, and waits for the result; what the work throws is thrown. */
    public <T> T on(Callable<T> work) throws Exception {
        try {
            return start(work).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void enter() {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) OPEN.invoke(arena.allocateFrom("/run/netns/" + name), O_CLOEXEC);
            if (descriptor < 0 || (int) SETNS.invoke(descriptor, CLONE_NEWNET) != 0) {
                throw new IllegalStateException("cannot enter namespace " + name);
            }
            int _ = (int) CLOSE.invoke(descriptor);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
