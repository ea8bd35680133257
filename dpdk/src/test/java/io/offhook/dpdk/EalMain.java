package io.offhook.dpdk;

import io.offhook.packet.FrameBatch;
import java.util.List;
import java.util.Objects;

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
        System.out.println("processors " + List.of(io.offhook.linux.CpuAffinity.processors().length));
        told(eal::close);
        Thread other = Thread.ofPlatform().start(() -> told(lane::close));
        other.join();
        Thread.ofVirtual().start(() -> told(eal::registerThread)).join();
        EthPort port = eal.port("net_ring5");
        Mempool pool = eal.mempool("pool", 255, 0, 2048);
        port.start(EthPortOptions.ofQueues(1, 1), pool);
        lane.close();
        eal.close();
        eal.close();
        pool.close();
        port.close();
        System.out.println("open " + eal.isOpen() + " running " + (Eal.running() != null));
        told(port::statistics);
        told(() -> eal.mempool("another", 255, 0, 2048));
        told(() -> Eal.start(EalOptions.virtual()));
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
        told(() -> source.next(held));
        told(() -> source.release(held));
        told(pool::available);
        told(source::close);
    }

    /** @param prefix of files that cannot be made */
    private static void files(String prefix) {
        refused(new EalOptions(
                false, 64, "", false, List.of(), List.of(), List.of(), prefix, false, "", false, List.of()));
    }

    private static void refused(EalOptions options) {
        told(() -> Eal.start(options));
        told(() -> Eal.start(EalOptions.virtual()));
        System.out.println("running " + (Eal.running() != null));
    }

    private static void missing() {
        System.out.println("missing: " + Eal.missing());
        told(() -> Eal.start(EalOptions.virtual()));
        told(() -> DpdkSource.open(DpdkSourceOptions.of("lo"), ""));
        told(Eal::version);
    }

    private static void told(Runnable attempt) {
        try {
            attempt.run();
            System.out.println("done");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
}
