package io.offhook.dpdk;

import io.offhook.linux.CpuAffinity;
import io.offhook.packet.FrameBatch;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Processes of {@link EalTest}: what can be tried once a process. It prints what it met. */
final class EalMain {
    private EalMain() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "once" -> once();
            case "lcores" -> refused(EalOptions.virtual().withLcores("nonsense"));
            case "device" -> refused(EalOptions.virtual().withDevices("net_nothing0"));
            case "huge" -> refused(EalOptions.hardware());
            case "missing" -> missing();
            case "late" -> late();
            case "files" -> files(arguments[1]);
            case "affinity" -> affinity();
            case "pinned" -> pinned();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void once() throws Exception {
        Eal eal = Eal.start(EalOptions.virtual()
                .withMemoryMib(64)
                .withDevices("net_ring5", "net_null7,size=128")
                .withLog("notice", false)
                .withMore("--no-hpet"));
        System.out.println("running " + (Eal.running() == eal) + " ports " + eal.portNumbers() + " "
                + eal.port("net_null7").info().driverName());
        RegisteredThread lane = eal.registerThread(0);
        System.out.println("processors " + List.of(CpuAffinity.processors().length));
        reported(eal::close);
        Thread other = Thread.ofPlatform().start(() -> reported(lane::close));
        other.join();
        Thread.ofVirtual().start(() -> reported(eal::registerThread)).join();
        EthPort port = eal.port("net_ring5");
        Mempool pool = eal.mempool("pool", 255, 0, 2048);
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        lane.close();
        eal.close();
        eal.close();
        pool.close();
        port.close();
        System.out.println("open " + eal.isOpen() + " running " + (Eal.running() != null));
        reported(port::statistics);
        reported(() -> eal.mempool("another", 255, 0, 2048));
        reported(() -> Eal.start(EalOptions.virtual()));
    }

    /** A source outlives EAL: its mbufs are gone then. */
    private static void late() {
        DpdkSource source = DpdkSource.open(DpdkSourceOptions.of("net_null0"), "");
        FrameBatch held = new FrameBatch(256);
        source.next(held);
        source.stop();
        FrameBatch batch = new FrameBatch(4096);
        boolean more = true;
        while (more) {
            more = source.next(batch);
        }
        Mempool pool = source.pool();
        Objects.requireNonNull(Eal.running()).close();
        reported(() -> source.next(held));
        reported(() -> source.release(held));
        reported(pool::available);
        reported(source::close);
    }

    /** What the start leaves of the processors of its caller, and of threads that the caller starts later. */
    private static void affinity() throws Exception {
        int[] before = CpuAffinity.processors();
        Eal eal = Eal.start(EalOptions.virtual().withMemoryMib(64).withLcores("0@" + before[before.length - 1]));
        System.out.println("EAL's own thread on one processor " + (processorsOf("dpdk-eal").length == 1));
        System.out.println("caller as before " + Arrays.equals(CpuAffinity.processors(), before));
        Thread later = Thread.ofPlatform()
                .start(() -> System.out.println(
                        "thread as its caller was " + Arrays.equals(CpuAffinity.processors(), before)));
        later.join();
        eal.close();
    }

    /** Those of the thread of this process that has the name. */
    private static int[] processorsOf(String name) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String status = Files.readString(task.resolve("status"));
                if (status.startsWith("Name:\t" + name + "\n")) {
                    Matcher allowed = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$")
                            .matcher(status);
                    if (allowed.find()) {
                        return CpuAffinity.parse(allowed.group(1));
                    }
                }
            }
        }
        throw new IllegalStateException("there is no thread " + name);
    }

    /** A thread that cannot be registered stays on its processors, though it was to be pinned to one before. */
    private static void pinned() throws Exception {
        int[] before = CpuAffinity.processors();
        int last = before[before.length - 1];
        Eal eal = Eal.start(EalOptions.virtual().withMemoryMib(64));
        RegisteredThread lane = eal.registerThread();
        reported(() -> eal.registerThread(last));
        System.out.println("caller as before " + Arrays.equals(CpuAffinity.processors(), before));
        Thread.ofVirtual()
                .start(() -> {
                    reported(() -> eal.registerThread(last));
                    System.out.println("carrier as before " + Arrays.equals(CpuAffinity.processors(), before));
                })
                .join();
        lane.close();
        eal.close();
    }

    /** @param prefix of files that cannot be made */
    private static void files(String prefix) {
        refused(EalOptions.virtual().withMemory(new EalOptions.Memory(false, 64, false, prefix)));
    }

    private static void refused(EalOptions options) {
        reported(() -> Eal.start(options));
        reported(() -> Eal.start(EalOptions.virtual()));
        System.out.println("running " + (Eal.running() != null));
    }

    private static void missing() {
        System.out.println("missing: " + Eal.missing());
        reported(() -> Eal.start(EalOptions.virtual()));
        reported(() -> DpdkSource.open(DpdkSourceOptions.of("lo"), ""));
        reported(Eal::version);
    }

    private static void reported(Runnable attempt) {
        try {
            attempt.run();
            System.out.println("done");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
}
