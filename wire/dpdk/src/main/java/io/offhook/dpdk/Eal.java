package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.offhook.linux.CpuAffinity;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * DPDK's Environment Abstraction Layer, rte_eal_init: memory, devices, lcores. It can be started once per process, and
 * not again after it was closed. It runs on a thread of its own, because it pins the thread that starts it.
 * Thread-safe.
 */
public final class Eal implements AutoCloseable {
    private static boolean wasStarted;
    private static @Nullable Eal running;

    private final EalLog log;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final Set<Thread> registered = ConcurrentHashMap.newKeySet();
    private final List<EthPort> opened = new ArrayList<>();
    private volatile boolean isOpen = true;

    private Eal(EalLog log, Thread thread) {
        this.log = log;
        this.thread = thread;
    }

    /** Returns what keeps DPDK from being used here, with the command that helps; null if it can be used. */
    public static @Nullable String missing() {
        return DpdkLibraries.missingWithRemedy();
    }

    /**
     * Returns the version string of the installed DPDK: {@code DPDK 22.11.11}.
     *
     * @throws DpdkException if no known version is {@linkplain #missing installed}
     */
    public static String version() {
        return DpdkLibraries.version();
    }

    /** Returns the EAL that was started and not closed; null if there is none. */
    public static synchronized @Nullable Eal running() {
        return running;
    }

    /** Returns the running EAL, or starts one with these options. */
    static synchronized Eal runningOrStarted(EalOptions options) {
        Eal eal = running;
        return eal == null ? start(options) : eal;
    }

    /**
     * Starts EAL.
     *
     * @throws DpdkException if DPDK is {@linkplain #missing missing} or refuses; the message has its reason, and DPDK
     *     does not permit another start in this process
     * @throws IllegalStateException if it was started before
     */
    public static synchronized Eal start(EalOptions options) {
        DpdkLibraries.require();
        if (wasStarted) {
            throw new IllegalStateException("EAL was started before; it can start only once per process");
        }
        wasStarted = true;
        List<String> arguments = options.arguments(CpuAffinity.processors());
        EalLog log = new EalLog(options.log().isShown());
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch[] end = new CountDownLatch[1];
        FutureTask<Refusal> start = new FutureTask<>(() -> init(arguments));
        Thread thread = Thread.ofPlatform().daemon().name("dpdk-eal").unstarted(() -> {
            start.run();
            await(done);
            if (end[0] != null) {
                await(end[0]);
                RteEal.cleanup();
            }
        });
        thread.start();
        try {
            Refusal refusal = start.get();
            if (refusal.isRefused) {
                throw new DpdkException(
                        "start EAL with " + String.join(" ", arguments), refusal.errno, log.text() + remedy(options));
            }
            Eal eal = new Eal(log, thread);
            end[0] = eal.closing;
            running = eal;
            return eal;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while EAL was starting", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("EAL could not be started", e.getCause());
        } finally {
            done.countDown();
        }
    }

    private static String remedy(EalOptions options) {
        HugePages pages = HugePages.below(Path.of("/"));
        return options.memory().isHuge() && pages.freeMib() < options.memory().mib()
                ? "; sudo sysctl vm.nr_hugepages="
                        + pages.wanted(options.memory().mib()) + " makes huge pages"
                : "";
    }

    /** @param errno the reason; 0 if DPDK only logs it */
    private record Refusal(boolean isRefused, int errno) {}

    private static Refusal init(List<String> arguments) {
        // EAL keeps what it points to
        Arena arena = Arena.global();
        MemorySegment list = arena.allocate(ADDRESS, arguments.size() + 1L);
        for (int i = 0; i < arguments.size(); i++) {
            list.setAtIndex(ADDRESS, i, arena.allocateFrom(arguments.get(i)));
        }
        boolean isRefused = RteEal.init(arguments.size(), list) < 0;
        return new Refusal(isRefused, isRefused ? RteEal.errno() : 0);
    }

    private static void await(CountDownLatch latch) {
        boolean isInterrupted;
        do {
            try {
                latch.await();
                isInterrupted = false;
            } catch (InterruptedException e) {
                isInterrupted = true; // ignored: this thread is EAL's own
            }
        } while (isInterrupted);
    }

    /**
     * Registers the calling thread with DPDK, as lanes should be; otherwise it has no cache in mempools. For platform
     * threads, once each.
     *
     * @throws DpdkException if all 128 lcores are in use
     */
    public RegisteredThread registerThread() {
        checkOpen();
        return RegisteredThread.register(this, registered);
    }

    /**
     * As {@link #registerThread()}, after pinning the thread.
     *
     * @param processor the number of the processor, from 0
     */
    public RegisteredThread registerThread(int processor) {
        checkOpen();
        // a refused thread is not pinned: the carrier of a virtual one is shared
        RegisteredThread.check(registered);
        CpuAffinity.pin(processor);
        return RegisteredThread.register(this, registered);
    }

    /** As {@link #registerThread()}, but returns null if no lcore is left; the thread then has no cache. */
    @Nullable
    RegisteredThread tryRegisterThread() {
        checkOpen();
        try {
            return RegisteredThread.register(this, registered);
        } catch (DpdkException e) {
            return null;
        }
    }

    /** Returns whether a thread is registered. */
    boolean isRegistered(Thread thread) {
        return registered.contains(thread);
    }

    /**
     * Creates a pool of mbufs.
     *
     * @param name a unique name, 1 to 25 bytes
     * @param mbufs the number of mbufs, at least 1; a power of two less one wastes no memory
     * @param cache the most mbufs in the cache of a registered thread, 0 to 512 and at most two thirds of all
     * @param dataBytes the bytes of a packet that one mbuf holds after the {@linkplain MbufView#HEADROOM_BYTES
     *     headroom}, 1 to 65,407; longer packets span several mbufs
     * @throws DpdkException if there is not enough memory, or the name is in use
     */
    public Mempool mempool(String name, int mbufs, int cache, int dataBytes) {
        checkOpen();
        return Mempool.create(this, name, mbufs, cache, dataBytes, -1);
    }

    /**
     * Adds a device at run time. For an existing one, such as a PCI device found at the start, the port is returned as
     * by {@link #port(String)}, and the arguments have no effect.
     *
     * @param device its name and arguments: {@code net_ring0}, {@code net_af_packet0,iface=eth0}, {@code 0000:03:00.0}
     * @return its port, the first if it has several
     * @throws DpdkException if there is no such device, or no driver of its name
     */
    public synchronized EthPort add(String device) {
        checkOpen();
        List<Integer> before = PortNumbers.all();
        log.clear();
        int result = RteEal.devProbe(device);
        if (result < 0) {
            throw new DpdkException("add device " + device, -result, log.text());
        }
        List<Integer> added = new ArrayList<>(PortNumbers.all());
        added.removeAll(before);
        // DPDK takes it for done where the device is there already
        int number = added.isEmpty() ? PortNumbers.named(DpdkDevice.name(device)) : added.getFirst();
        if (number < 0) {
            throw new DpdkException("device " + device + " has no Ethernet port");
        }
        return open(number);
    }

    /** Returns the numbers of all existing ports, in ascending order. */
    public List<Integer> portNumbers() {
        checkOpen();
        return PortNumbers.all();
    }

    /**
     * Returns an existing port.
     *
     * @param number the number of the port, from 0
     * @throws IllegalArgumentException if there is none of that number
     */
    public synchronized EthPort port(int number) {
        checkOpen();
        if (!PortNumbers.all().contains(number)) {
            throw new IllegalArgumentException("there is no port " + number + "; " + PortNumbers.list());
        }
        return open(number);
    }

    /**
     * Returns an existing port.
     *
     * @param name the name of its device: {@code net_ring0}, {@code 0000:03:00.0}
     * @throws IllegalArgumentException if there is none of that name
     */
    public synchronized EthPort port(String name) {
        checkOpen();
        int number = PortNumbers.named(name);
        if (number < 0) {
            throw new IllegalArgumentException("there is no port " + name + "; " + PortNumbers.list());
        }
        return open(number);
    }

    private EthPort open(int number) {
        for (EthPort port : opened) {
            if (port.number() == number && port.isOpen()) {
                return port;
            }
        }
        opened.removeIf(port -> !port.isOpen());
        EthPort port = new EthPort(this, number);
        opened.add(port);
        return port;
    }

    /** Returns the port of net_af_packet on a kernel interface; null if there is none. */
    synchronized @Nullable EthPort onInterface(int index) {
        for (EthPort port : opened) {
            if (port.isOpen()
                    && port.info().interfaceIndex() == index
                    && port.info().driverName().equals(PacketSocketDrops.NET_AF_PACKET)) {
                return port;
            }
        }
        return null;
    }

    EalLog log() {
        return log;
    }

    /** Returns whether it was not closed. */
    public boolean isOpen() {
        return isOpen;
    }

    void checkOpen() {
        if (!isOpen) {
            throw new IllegalStateException("EAL is closed");
        }
    }

    /**
     * Closes all ports and frees its memory: pools and mbufs no longer exist.
     *
     * @throws IllegalStateException while threads are registered, which would continue in freed memory
     */
    @Override
    public void close() {
        synchronized (Eal.class) {
            if (!isOpen) {
                return;
            }
            registered.removeIf(lane -> !lane.isAlive());
            if (!registered.isEmpty()) {
                throw new IllegalStateException(
                        "threads are registered with EAL; close their registrations first: " + registered);
            }
            synchronized (this) {
                List.copyOf(opened).forEach(EthPort::close);
                isOpen = false;
            }
            running = null;
            closing.countDown();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
