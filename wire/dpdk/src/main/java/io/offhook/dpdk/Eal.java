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
 * DPDK's Environment Abstraction Layer, rte_eal_init: memory, devices, lcores. It can be started once in the life of a
 * process, and not again after it was closed. It lives on a thread of its own, for it pins the thread that starts it. Any
 * thread may use it.
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

    /** What keeps DPDK from being used here, with the command that helps; null where it can be used. */
    public static @Nullable String missing() {
        return DpdkLibraries.missingWithRemedy();
    }

    /**
     * The version that is installed, as it calls itself: {@code DPDK 22.11.11}.
     *
     * @throws DpdkException where none is {@linkplain #missing installed} that is known
     */
    public static String version() {
        return DpdkLibraries.version();
    }

    /** The one that was started and not closed; null where there is none. */
    public static synchronized @Nullable Eal running() {
        return running;
    }

    /** The one that is running, or else one that is started so. */
    static synchronized Eal runningOrStarted(EalOptions options) {
        Eal eal = running;
        return eal == null ? start(options) : eal;
    }

    /**
     * Starts it.
     *
     * @throws DpdkException where DPDK is {@linkplain #missing missing}, or refuses; then it says why, and no other start
     *     is possible in this process, as DPDK has it
     * @throws IllegalStateException where it was started before
     */
    public static synchronized Eal start(EalOptions options) {
        DpdkLibraries.require();
        if (wasStarted) {
            throw new IllegalStateException("EAL was started before, which a process can do once");
        }
        wasStarted = true;
        List<String> arguments = options.arguments(CpuAffinity.processors());
        EalLog log = new EalLog(options.isLogShown());
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
        return options.isHuge() && pages.freeMib() < options.memoryMib()
                ? "; sudo sysctl vm.nr_hugepages=" + pages.wanted(options.memoryMib()) + " makes huge pages"
                : "";
    }

    /** @param errno why; 0 where DPDK does not say, as of some that it logs only */
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
                isInterrupted = true; // nobody's business: the thread is ours
            }
        } while (isInterrupted);
    }

    /**
     * Makes the calling thread one that DPDK knows, as lanes should be: else it has no cache in mempools. For platform
     * threads, once each.
     *
     * @throws DpdkException where all 128 lcores are taken
     */
    public RegisteredThread registerThread() {
        checkOpen();
        return RegisteredThread.register(this, registered);
    }

    /**
     * As {@link #registerThread()}, pinned before.
     *
     * @param processor from 0
     */
    public RegisteredThread registerThread(int processor) {
        checkOpen();
        // a thread that is refused stays where it is: a virtual one's carrier is others', too
        RegisteredThread.check(registered);
        CpuAffinity.pin(processor);
        return RegisteredThread.register(this, registered);
    }

    /** As {@link #registerThread()}; null where no lcore is left: the thread does without a cache. */
    @Nullable
    RegisteredThread tryRegisterThread() {
        checkOpen();
        try {
            return RegisteredThread.register(this, registered);
        } catch (DpdkException e) {
            return null;
        }
    }

    /** Whether it is one that DPDK knows. */
    boolean isRegistered(Thread thread) {
        return registered.contains(thread);
    }

    /**
     * Makes a pool of mbufs.
     *
     * @param name of its own, 1 to 25 bytes
     * @param mbufs how many, 1 or more; a power of two less one wastes nothing
     * @param cache mbufs that a registered thread keeps at the most, 0 to 512 and to two thirds of all
     * @param dataBytes of a packet that one mbuf holds behind the {@linkplain MbufView#HEADROOM_BYTES headroom}, 1 to
     *     65,407: longer packets get several
     * @throws DpdkException where there is not enough memory, or the name is taken
     */
    public Mempool mempool(String name, int mbufs, int cache, int dataBytes) {
        checkOpen();
        return Mempool.create(this, name, mbufs, cache, dataBytes, -1);
    }

    /**
     * Adds a device while it runs. Of one that is there already, as a PCI device that was found at the start, the port is
     * given as by {@link #port(String)}; what the arguments say is not done then.
     *
     * @param device its name and arguments: {@code net_ring0}, {@code net_af_packet0,iface=eth0}, {@code 0000:03:00.0}
     * @return its port, the first where it has several
     * @throws DpdkException where there is no such device, or no driver of its name
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

    /** The numbers of all ports there are, in ascending order. */
    public List<Integer> portNumbers() {
        checkOpen();
        return PortNumbers.all();
    }

    /**
     * A port that is there.
     *
     * @param number from 0
     * @throws IllegalArgumentException where there is none of that number
     */
    public synchronized EthPort port(int number) {
        checkOpen();
        if (!PortNumbers.all().contains(number)) {
            throw new IllegalArgumentException("there is no port " + number + "; " + PortNumbers.list());
        }
        return open(number);
    }

    /**
     * A port that is there.
     *
     * @param name of its device: {@code net_ring0}, {@code 0000:03:00.0}
     * @throws IllegalArgumentException where there is none of that name
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

    /** The port of net_af_packet on an interface of the kernel; null where there is none. */
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

    /** Whether it was not closed. */
    public boolean isOpen() {
        return isOpen;
    }

    void checkOpen() {
        if (!isOpen) {
            throw new IllegalStateException("EAL is closed");
        }
    }

    /**
     * Closes all ports, and gives its memory back: pools and mbufs are no more.
     *
     * @throws IllegalStateException while threads are registered: they would go on in memory that is not theirs
     */
    @Override
    public void close() {
        synchronized (Eal.class) {
            if (!isOpen) {
                return;
            }
            registered.removeIf(lane -> !lane.isAlive());
            if (!registered.isEmpty()) {
                throw new IllegalStateException("threads are registered with EAL, end these first: " + registered);
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
