package io.offhook.dpdk;

import io.offhook.filter.PacketFilter;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.BatchLoans;
import io.offhook.live.LiveCounts;
import io.offhook.live.PolledRingDriver;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import io.offhook.pcap.CaptureInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Polls a queue of a DPDK port, whose mbufs are lent to batches. */
final class DpdkDriver implements PolledRingDriver {
    /** The longest wait for remaining packets after a stop, on a network that is never idle. */
    private static final long DRAIN_NS = 1_000_000_000L;

    private static final long COUNT_NS = 100_000_000L;
    private static final long LOOK_NS = 1_000_000_000L;
    /** The most mbufs returned by one call. */
    private static final int RETURNED = 1024;
    /** IFF_UP of net/if.h. */
    private static final int UP = 1;

    private final DpdkSourceOptions options;
    private final int longestFrame;
    private final CaptureInterface captureInterface;
    private final Eal eal;
    private final EthPort port;
    private final Mempool pool;
    private final MbufFrames frames;
    private final MbufArray returned = new MbufArray(RETURNED);
    private final PortDrops drops;
    /** The kernel interface below the device; null if there is none, or none visible from here. */
    private final @Nullable NetworkDevice kernelDevice;

    private @Nullable RegisteredThread lane;
    private @Nullable Thread laneThread;
    private long lookedNs = System.nanoTime();

    DpdkDriver(DpdkSourceOptions options, int longestFrame, Eal eal, EthPort port, Mempool pool, PacketFilter filter) {
        this.options = options;
        this.longestFrame = longestFrame;
        this.eal = eal;
        this.port = port;
        this.pool = pool;
        String name = options.device();
        String driver = port.info().driverName();
        frames = new MbufFrames(
                pool, port.rxQueue(0), filter, options.snapLength(), driver.equals(EthPortInfo.NET_PCAP) ? 1_000 : 0);
        drops = new PortDrops(port);
        captureInterface = new CaptureInterface(name, LinkType.ETHERNET, options.snapLength(), 1_000_000_000, 0, name);
        kernelDevice = device(port.info().interfaceIndex());
    }

    private static @Nullable NetworkDevice device(int index) {
        if (index != 0) {
            for (NetworkDevice device : NetworkDevice.all()) {
                if (device.index() == index) {
                    return device;
                }
            }
        }
        return null;
    }

    @Override
    public CaptureInterface captureInterface() {
        return captureInterface;
    }

    @Override
    public NetworkDevice device() {
        NetworkDevice kernel = kernelDevice;
        return kernel != null && kernel.name().equals(options.device())
                ? kernel
                : new NetworkDevice(
                        options.device(),
                        0,
                        NetworkDevice.ETHERNET,
                        new NetworkDevice.Status(UP, NetworkDevice.OperationalState.UNKNOWN),
                        port.mtu(),
                        MacAddress.text(port.macAddress()),
                        List.of());
    }

    @Override
    public List<String> notes() {
        NetworkDevice kernel = kernelDevice;
        List<String> notes = new ArrayList<>();
        notes.add(Eal.version() + ", " + port.info().driverName() + "; times are taken by Offhook, once a burst");
        if (kernel != null && kernel.name().equals(options.device())) {
            notes.add("the ring that the kernel fills has room for " + grouped(options.rxDescriptors()) + " packets, "
                    + grouped(DpdkSourceOptions.MOST_DESCRIPTORS) + " at the most");
        }
        if (longestFrame < options.snapLength()) {
            notes.add("frames of more than " + grouped(longestFrame)
                    + " bytes are cut, as those are that offloads merge; ethtool -K " + options.device()
                    + " gro off gso off tso off keeps them from it");
        }
        return notes;
    }

    private static String grouped(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    @Override
    public void fill(FrameBatch batch, BatchLoans.Loan loan) {
        checkOpen();
        register();
        frames.addTo(batch, loan);
    }

    /** @throws IllegalStateException if EAL has ended, and the mbufs with it */
    void checkOpen() {
        eal.checkOpen();
    }

    /** Registers the thread, so that it has a cache in the pool; a virtual thread has none. */
    private void register() {
        Thread caller = Thread.currentThread();
        if (caller.equals(laneThread) || caller.isVirtual()) {
            return;
        }
        laneThread = caller;
        lane = eal.isRegistered(caller) ? null : eal.tryRegisterThread();
    }

    private void unregister() {
        if (lane != null && Thread.currentThread().equals(laneThread)) {
            lane.close();
            lane = null;
            laneThread = null;
        }
    }

    /** {@inheritDoc} If EAL has ended, the pool has ended with it, and nothing is returned. */
    @Override
    public void giveBack(long[] places, int count) {
        if (!eal.isOpen()) {
            return;
        }
        for (int i = 0; i < count; i++) {
            if (returned.isFull()) {
                returned.free();
            }
            returned.add(places[i]);
        }
        returned.free();
    }

    @Override
    public boolean hasFrames() {
        return frames.hasFrames();
    }

    /** {@inheritDoc} A port keeps receiving: packets from after the end are recognised by their time. */
    @Override
    public void detach() {}

    @Override
    public boolean isDrained(long detachedForNs, long quietForNs) {
        return quietForNs > 0 && frames.isDrained() || detachedForNs > DRAIN_NS;
    }

    @Override
    public void end() {
        unregister();
    }

    @Override
    public void count(LiveCounts.Builder counts) {
        drops.ask();
        counts.drops(drops.ring(), drops.other());
        counts.received(counts.delivered() + counts.filtered() + drops.all());
    }

    @Override
    public long countIntervalNs() {
        return COUNT_NS;
    }

    @Override
    public long filtered() {
        return frames.filtered();
    }

    @Override
    public long nowNs() {
        return frames.nowNs();
    }

    @Override
    public @Nullable String whyGone() {
        long nowNs = System.nanoTime();
        if (nowNs - lookedNs <= LOOK_NS) {
            return null;
        }
        lookedNs = nowNs;
        NetworkDevice kernel = kernelDevice;
        return port.isRemoved() || kernel != null && device(kernel.index()) == null ? DISAPPEARED : null;
    }

    /** Returns the packets that were copied because they spanned several mbufs. */
    long copied() {
        return frames.copied();
    }

    EthPort port() {
        return port;
    }

    Mempool pool() {
        return pool;
    }

    int longestFrame() {
        return longestFrame;
    }

    @Override
    public void close() {
        if (eal.isOpen()) {
            frames.close();
        }
        try {
            end(port, pool);
        } finally {
            unregister();
        }
    }

    /** Closes the port before the pool, because the pool contains the mbufs in the port's queues. */
    static void end(EthPort port, @Nullable Mempool pool) {
        try {
            port.close();
        } finally {
            if (pool != null) {
                pool.close();
            }
        }
    }
}
