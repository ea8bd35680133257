package io.offhook.dpdk;

import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import io.offhook.pcap.LossList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The packets that come in by a port of DPDK, polled. Frames lie in the mbufs that the device wrote them to, which a batch
 * keeps until it is handed in again; packets of several mbufs are copied together. The filter runs here. A VLAN tag that the
 * device took out is put back.
 *
 * <p>Times are taken here, once a burst of at most 64 packets, by the machine's clock; only net_pcap gives those of its file.
 * What other machines get of a network card that DPDK has, the kernel does not see any more.
 *
 * <p>Of an interface of the kernel, frames that are longer than its MTU, as offloads make them by merging packets, are cut
 * by net_af_packet to {@link #longestFrameBytes}, and nothing tells how long they were. One source of a process can have such an interface,
 * for all sockets of net_af_packet on it are a group, of which each packet comes to one.
 *
 * <p>EAL is started where it was not, and goes on running. The thread that calls {@link #next} is registered with it, until
 * the source has ended or that thread closes it. A port that was there before is the source's then, which closes it.
 */
public final class DpdkSource implements LiveSource {
    private static final AtomicInteger NEXT_POOL = new AtomicInteger();
    private static final int CACHE = 256;
    /** After it was told to stop, on a network that is never idle. */
    private static final long DRAIN_NS = 1_000_000_000L;

    private static final long IDLE_NS = IDLE_MS * 1_000_000L;
    private static final long COUNT_EVERY_NS = 100_000_000L;
    private static final long LOOK_EVERY_NS = 1_000_000_000L;

    private final DpdkSourceOptions options;
    private final CaptureInterface captureInterface;
    private final Eal eal;
    private final EthPort port;
    private final Mempool pool;
    private final MbufFrames frames;
    private final MbufLoans loans = new MbufLoans();
    private final PortDrops drops;
    private final LossList losses;
    private final List<CaptureFault> faults = new CopyOnWriteArrayList<>();
    /** Of the kernel's interface below the device; 0 where there is none, or none that can be seen from here. */
    private final int interfaceIndex;

    private final int longestFrame;

    private volatile boolean isStopping;
    private volatile LiveCounts published = LiveCounts.NONE;
    private @Nullable RegisteredThread lane;
    private @Nullable Thread laneThread;
    private boolean ended;
    private boolean closed;
    private boolean isDraining;
    private long drainingSince;
    private long delivered;
    private long nextNumber = 1;
    private long countedAt = System.nanoTime();
    private long lookedAt = countedAt;
    private long countedNs;
    private long countedNumber;

    private DpdkSource(
            DpdkSourceOptions options, CaptureDevice device, Eal eal, EthPort port, Mempool pool, PacketFilter filter) {
        this.options = options;
        longestFrame = device.longestFrame();
        this.eal = eal;
        this.port = port;
        this.pool = pool;
        String driver = port.info().driverName();
        frames = new MbufFrames(
                pool, port.rxQueue(0), filter, options.snapLength(), driver.equals(EthPortInfo.NET_PCAP) ? 1_000 : 0);
        drops = new PortDrops(port);
        captureInterface = new CaptureInterface(
                options.device(), LinkType.ETHERNET, options.snapLength(), 1_000_000_000, 0, options.device());
        losses = new LossList(options.device());
        countedNs = frames.nowNs();
        interfaceIndex = isThere(port.info().interfaceIndex()) ? port.info().interfaceIndex() : 0;
    }

    /**
     * Starts EAL for several sources, where it was not started: a process can do so once, and the first source alone would
     * start it without the network cards that others want, and with memory for itself.
     *
     * @param all what is to be {@linkplain #open opened} then, one or more
     * @throws DpdkException where DPDK is missing, or cannot be started
     * @throws IllegalArgumentException where there is no such device
     */
    public static void startEal(List<DpdkSourceOptions> all) {
        DpdkLibraries.require();
        Eal.runningOrStarted(ealOptions(all));
    }

    static EalOptions ealOptions(List<DpdkSourceOptions> all) {
        List<CaptureDevice> devices = new ArrayList<>();
        long poolBytes = 0;
        for (DpdkSourceOptions options : all) {
            CaptureDevice device = CaptureDevice.of(options.device(), options.rxDescriptors());
            devices.add(device);
            poolBytes += device.poolBytes(options.mbufs());
        }
        return CaptureDevice.ealOptions(devices, poolBytes);
    }

    /**
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7); empty for all packets
     * @throws DpdkException where DPDK is missing, cannot be started, or refuses the device, or a port of this process has it already
     * @throws FilterException where the expression is none
     * @throws IllegalArgumentException where there is no such device
     */
    public static DpdkSource open(DpdkSourceOptions options, String expression) {
        DpdkLibraries.require();
        PacketFilter filter = PacketFilter.of(expression, LinkType.ETHERNET);
        CaptureDevice device = CaptureDevice.of(options.device(), options.rxDescriptors());
        Eal eal = Eal.runningOrStarted(CaptureDevice.ealOptions(List.of(device), device.poolBytes(options.mbufs())));
        EthPort other = device.interfaceIndex() == 0 ? null : eal.onInterface(device.interfaceIndex());
        if (other != null) {
            throw new DpdkException(other + " is on " + options.device()
                    + " already, and net_af_packet would give each packet to one of both only; close it first");
        }
        String argument = device.argument();
        EthPort port = argument == null ? eal.port(device.port()) : eal.add(argument);
        if (port.isStarted()) {
            throw new DpdkException(port + " is in use already, which one can have only; stop it first");
        }
        Mempool pool = null;
        try {
            pool = eal.mempool("offhook-" + NEXT_POOL.getAndIncrement(), options.mbufs(), CACHE, device.dataBytes());
            port.start(
                    EthPortOptions.ofQueues(1, 1)
                            .withDescriptors(options.rxDescriptors(), 64)
                            .withPromiscuous(options.isPromiscuous()),
                    pool);
            return new DpdkSource(options, device, eal, port, pool, filter);
        } catch (RuntimeException e) {
            end(port, pool);
            throw e;
        }
    }

    /** In this order: what is in the port's queues lies in the pool. */
    private static void end(EthPort port, @Nullable Mempool pool) {
        try {
            port.close();
        } finally {
            if (pool != null) {
                pool.close();
            }
        }
    }

    private static boolean isThere(int index) {
        return index != 0 && NetworkDevice.all().stream().anyMatch(device -> device.index() == index);
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (closed) {
            throw new IllegalStateException("the source is closed");
        }
        eal.checkOpen();
        MbufLoans.Loan loan = loans.begin(batch);
        batch.clear(nextNumber);
        if (ended) {
            return false;
        }
        register();
        frames.addTo(batch, loan);
        if (batch.count() == 0) {
            await(batch, loan);
        }
        nextNumber += batch.count();
        delivered += batch.count();
        count();
        return batch.count() > 0 || !ended;
    }

    @Override
    public void release(FrameBatch batch) {
        eal.checkOpen();
        loans.begin(batch);
        batch.clear(nextNumber);
    }

    /** Polls until something comes, or IDLE_MS are over, or all that was there when it was told to stop has come. */
    private void await(FrameBatch batch, MbufLoans.Loan loan) {
        long since = System.nanoTime();
        int idle = 0;
        while (batch.count() == 0 && !isStopping && System.nanoTime() - since < IDLE_NS) {
            // what the filter does not want is work, too
            idle = frames.isDrained() ? options.idleStrategy().idle(idle) : 0;
            frames.addTo(batch, loan);
        }
        if (isStopping && batch.count() == 0) {
            frames.addTo(batch, loan);
            ended = batch.count() == 0 && frames.isDrained();
        }
        if (batch.count() == 0 && System.nanoTime() - lookedAt > LOOK_EVERY_NS) {
            lookedAt = System.nanoTime();
            look();
        }
    }

    /** Whether the device has gone. */
    private void look() {
        if (port.isRemoved() || interfaceIndex != 0 && !isThere(interfaceIndex)) {
            faults.add(new CaptureFault(
                    CaptureFault.Kind.UNREADABLE, options.device(), -1, "the interface has disappeared"));
            isStopping = true;
        }
    }

    private void count() {
        long now = System.nanoTime();
        if (isStopping && !isDraining) {
            isDraining = true;
            drainingSince = now;
        }
        ended |= isDraining && now - drainingSince > DRAIN_NS;
        if (ended || now - countedAt > COUNT_EVERY_NS) {
            countedAt = now;
            long before = drops.all();
            drops.ask();
            long nowNs = frames.nowNs();
            losses.add(drops.all() - before, countedNumber, nextNumber, countedNs, nowNs);
            countedNs = nowNs;
            countedNumber = nextNumber - 1;
        }
        long filtered = frames.filtered();
        published =
                new LiveCounts(delivered + filtered + drops.all(), delivered, filtered, drops.ring(), drops.other(), 0);
        if (ended) {
            unregister();
        }
    }

    /** So that it has a cache in the pool; a virtual thread has none. */
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

    @Override
    public void stop() {
        isStopping = true;
    }

    @Override
    public LiveCounts counts() {
        return published;
    }

    /** Packets that were copied so far, for they lay in several mbufs; on the thread that calls {@link #next}. */
    public long copiedPackets() {
        return frames.copied();
    }

    /** The longest frame that is certain to be captured whole; {@link Integer#MAX_VALUE} where the driver cuts none. */
    public int longestFrameBytes() {
        return longestFrame;
    }

    /** The port that it captures from, for its link, MAC address and statistics. */
    public EthPort port() {
        return port;
    }

    /** What it receives into. */
    Mempool pool() {
        return pool;
    }

    @Override
    public List<CaptureInterface> interfaces() {
        return List.of(captureInterface);
    }

    @Override
    public List<CaptureFault> faults() {
        return List.copyOf(faults);
    }

    @Override
    public List<CaptureLoss> losses() {
        return losses.snapshot();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            // EAL may have ended before, and the pool with it
            boolean isPoolThere = eal.isOpen();
            if (isPoolThere) {
                frames.close();
            }
            loans.close(isPoolThere);
            try {
                end(port, pool);
            } finally {
                unregister();
            }
        }
    }
}
