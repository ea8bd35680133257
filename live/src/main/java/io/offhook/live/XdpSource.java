package io.offhook.live;

import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.linux.NetworkDevice;
import io.offhook.linux.Poller;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * The packets that one interface receives, by AF_XDP. <b>They are taken away:</b> what is captured does not reach this
 * machine's own network stack, so its connections over the interface stand still, unless a filter leaves them out. The
 * filter runs in the kernel, and what it does not want goes on as if nothing was there. For watching what a machine does
 * itself there is {@link PacketSocketSource}; this is for interfaces that a mirror port feeds.
 *
 * <p>Frames lie in chunks of memory that the kernel shares, and a batch keeps those of its frames until it is handed in
 * again. What this machine sends is not seen. Nobody stamps the frames: their time is when they were taken from the ring,
 * the same for all that waited there, 0.1 ms late where more than 20,000 a second come. A VLAN tag that the network card
 * takes out is lost ({@code ethtool -K eth0 rxvlan off} leaves it in). With several queues, frames are in order within a
 * queue only.
 *
 * <p>Needs CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF, for filters of ports CAP_PERFMON, and CAP_IPC_LOCK where {@code ulimit -l}
 * is less than the memory; and Linux 5.11. An interface that goes down is waited for; one that
 * disappears ends the source with a fault. When the process ends, however it does, the kernel gives the interface back.
 */
public final class XdpSource implements LiveSource {
    /** What frames get that the driver has in hand when the capture is stopped. */
    private static final long DRAIN_NS = 20_000_000L;

    private static final int DRAIN_MS = 5;
    /** Frames that come faster than that are waited for with a pause: a thousandth of what the ring has room for. */
    private static final long BUSY_NS = 50_000L;

    private static final long PAUSE_NS = 50_000L;
    /** Between two looks at the kernel's counters, while there is work. */
    private static final long COUNT_NS = 10_000_000L;

    private final CaptureInterface captureInterface;
    private final XdpQueues queues;
    private final IdleStrategy idleStrategy;
    private final Poller poller;
    private final ChunkLoans loans;
    private final ChunkFrames frames;
    private final Arena arena = Arena.ofShared();
    private final WallClock clock = new WallClock();
    private final LiveCounts.Builder counts = new LiveCounts.Builder();
    private final DropPlaces drops;
    private final List<CaptureFault> faults = new CopyOnWriteArrayList<>();

    private volatile boolean isStopping;
    private volatile LiveCounts published = counts.build();
    private boolean isDetached;
    private long detachedNs;
    private boolean ended;
    private boolean closed;
    private long nextNumber = 1;
    private long countedNs = clock.nowNs();
    /** When the kernel was last asked for its counters, and when frames were last taken, by {@link System#nanoTime}. */
    private long askedNs = System.nanoTime();

    private long takenNs = askedNs - BUSY_NS;

    private XdpSource(XdpOptions options, XdpQueues queues) {
        this.queues = queues;
        idleStrategy = options.idleStrategy();
        String name = options.interfaceName();
        captureInterface = new CaptureInterface(name, LinkType.ETHERNET, options.snapLength(), 1_000_000_000, 0, name);
        drops = new DropPlaces(name);
        poller = new Poller(
                queues.sockets().stream().mapToInt(XdpSocket::descriptor).toArray());
        loans = new ChunkLoans(queues);
        frames = new ChunkFrames(queues, options.snapLength(), arena);
    }

    /**
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7), run in the kernel; empty for all packets
     * @throws io.offhook.linux.LinuxException EPERM where a capability is missing, EBUSY where the interface has an XDP
     *     program, ENOBUFS where {@code ulimit -l} is too low; with what the kernel's verifier said where it refuses the filter
     * @throws FilterException where the expression is none
     * @throws IllegalArgumentException where there is no such interface, its frames are not those of Ethernet, or the kernel
     *     cannot run the filter
     */
    public static XdpSource open(XdpOptions options, String expression) {
        NetworkDevice device = NetworkDevice.named(options.interfaceName());
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + options.interfaceName());
        }
        if (PacketSocketSource.linkType(device) != LinkType.ETHERNET) {
            throw new IllegalArgumentException("AF_XDP takes Ethernet frames only, and interface " + device.name()
                    + " has hardware type " + device.hardwareType() + " (ARPHRD_ of net/if_arp.h)");
        }
        BpfProgram filter = FilterCompiler.compile(expression, LinkType.ETHERNET, FilterCompiler.DEFAULT_SNAP_LENGTH);
        XdpQueues queues = XdpQueues.open(options, device, filter);
        try {
            return new XdpSource(options, queues);
        } catch (RuntimeException e) {
            queues.close();
            throw e;
        }
    }

    /** What was got: {@code native mode, zero-copy, 4 queues, frames of up to 1792 bytes}. */
    public String description() {
        return queues.description();
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (closed) {
            throw new IllegalStateException("the source is closed");
        }
        ChunkLoans.Loan loan = loans.giveBack(batch);
        queues.submitFill();
        batch.clear(nextNumber);
        if (ended) {
            return false;
        }
        if (isStopping && !isDetached) {
            isDetached = true;
            detachedNs = System.nanoTime();
            queues.detach();
        }
        frames.addTo(batch, loan, clock.nowNs());
        if (batch.count() == 0) {
            await();
            frames.addTo(batch, loan, clock.nowNs());
        }
        queues.submitFill();
        count(batch);
        return batch.count() > 0 || !ended;
    }

    @Override
    public void release(FrameBatch batch) {
        loans.giveBack(batch);
        queues.submitFill();
        batch.clear(nextNumber);
    }

    private void await() {
        if (isDetached) {
            poller.await(DRAIN_MS);
            return;
        }
        if (idleStrategy == IdleStrategy.PARK && System.nanoTime() - takenNs < BUSY_NS) {
            // more will come before long: in poll, each frame would wake us up
            LockSupport.parkNanos(PAUSE_NS);
            return;
        }
        boolean isReady = poller.await(awaited());
        if (!isReady && !isStopping && queues.sockets().getFirst().isInterfaceGone()) {
            faults.add(new CaptureFault(
                    CaptureFault.Kind.UNREADABLE, captureInterface.file(), -1, "the interface has disappeared"));
            isStopping = true;
        }
    }

    /** Waits as long as {@link #next} may, where not in the kernel; for how many milliseconds it is to be done there. */
    private int awaited() {
        if (idleStrategy == IdleStrategy.PARK) {
            return IDLE_MS;
        }
        long untilNs = System.nanoTime() + IDLE_MS * 1_000_000L;
        int rounds = 0;
        while (!queues.hasReceived() && !isStopping && System.nanoTime() - untilNs < 0) {
            rounds = idleStrategy.idle(rounds);
        }
        return 0;
    }

    private void count(FrameBatch batch) {
        long runningNs = System.nanoTime();
        boolean isEnd = isDetached && batch.count() == 0 && runningNs - detachedNs > DRAIN_NS;
        if (batch.count() > 0) {
            takenNs = runningNs;
        }
        nextNumber += batch.count();
        counts.delivered += batch.count();
        if (isEnd || batch.count() == 0 || runningNs - askedNs > COUNT_NS) {
            askedNs = runningNs;
            ask(clock.nowNs());
        }
        drops.frames(batch);
        if (isEnd) {
            ended = true;
            drops.end();
        }
    }

    /** Asks the kernel what it dropped. */
    private void ask(long nowNs) {
        long before = counts.ringDrops + counts.kernelDrops;
        long waiting = 0;
        counts.ringDrops = 0;
        counts.kernelDrops = 0;
        counts.freezes = 0;
        for (int i = 0; i < queues.sockets().size(); i++) {
            XdpSocket socket = queues.sockets().get(i);
            waiting += socket.received();
            socket.readStatistics();
            counts.ringDrops += socket.ringFull();
            counts.kernelDrops += socket.dropped();
            counts.freezes += socket.fillEmpty();
        }
        long dropped = counts.ringDrops + counts.kernelDrops;
        counts.received = counts.delivered + waiting + dropped;
        drops.add(dropped - before, countedNs, nowNs);
        countedNs = nowNs;
        published = counts.build();
    }

    @Override
    public void stop() {
        isStopping = true;
        poller.wakeUp();
    }

    @Override
    public LiveCounts counts() {
        return published;
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
        return drops.losses();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            poller.close();
            queues.close();
            arena.close();
        }
    }
}
