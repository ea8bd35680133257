package io.offhook.live.xdp;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.raw.Poller;
import io.offhook.live.BatchLoans;
import io.offhook.live.LiveCounts;
import io.offhook.live.RingDriver;
import io.offhook.live.WallClock;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Drives AF_XDP sockets, one for each queue, whose chunks are lent to batches. */
final class XdpDriver implements RingDriver {
    /** The time for frames that the network driver still holds when the capture is stopped. */
    private static final long DRAIN_NS = 20_000_000L;
    /** The gap below which frames are awaited with a pause: a thousandth of what the ring has room for. */
    private static final long BUSY_NS = 50_000L;

    private static final long PAUSE_NS = 50_000L;
    private static final long COUNT_NS = 10_000_000L;

    private final @Nullable NetworkDevice device;
    private final boolean isFiltered;
    private final CaptureInterface captureInterface;
    private final XdpQueues queues;
    private final Poller poller;
    private final ChunkFrames frames;
    private final WallClock clock = new WallClock();

    private boolean isDetached;
    private boolean isGone;
    /** When frames were last taken, by {@link System#nanoTime}. */
    private long takenNs = System.nanoTime() - BUSY_NS;

    /** @param device null for a rehearsal */
    XdpDriver(XdpOptions options, @Nullable NetworkDevice device, XdpQueues queues, boolean isFiltered) {
        this.device = device;
        this.queues = queues;
        this.isFiltered = isFiltered;
        String name = options.interfaceName();
        captureInterface = new CaptureInterface(name, LinkType.ETHERNET, options.snapLength(), 1_000_000_000, 0, name);
        poller = new Poller(
                queues.sockets().stream().mapToInt(XdpSocket::descriptor).toArray());
        frames = new ChunkFrames(queues, options.snapLength());
    }

    @Override
    public CaptureInterface captureInterface() {
        return captureInterface;
    }

    @Override
    public @Nullable NetworkDevice device() {
        return device;
    }

    @Override
    public List<String> notes() {
        return List.of("AF_XDP, " + queues.description() + "; what " + (isFiltered ? "the filter wants" : "comes in")
                + " does not reach this machine's own network stack, and what it sends is not seen");
    }

    @Override
    public void attach() {
        queues.attach();
    }

    @Override
    public void fill(FrameBatch batch, BatchLoans.Loan loan) {
        frames.addTo(batch, loan, clock.nowNs());
        queues.submitFill();
        if (batch.count() > 0) {
            takenNs = System.nanoTime();
        }
    }

    @Override
    public void giveBack(long[] places, int count) {
        for (int i = 0; i < count; i++) {
            queues.giveBack(places[i]);
        }
        queues.submitFill();
    }

    @Override
    public boolean hasFrames() {
        return queues.hasReceived();
    }

    @Override
    public int inUse() {
        int waiting = 0;
        for (int i = 0; i < queues.sockets().size(); i++) {
            waiting += queues.sockets().get(i).received();
        }
        return waiting;
    }

    @Override
    public String unit() {
        return "ring frames";
    }

    @Override
    public int room() {
        return queues.sockets().stream().mapToInt(XdpSocket::room).sum();
    }

    @Override
    public void await(int atMostMs) {
        if (atMostMs > 0 && !isDetached && System.nanoTime() - takenNs < BUSY_NS) {
            // more will come before long: in poll, each frame would wake us up
            LockSupport.parkNanos(PAUSE_NS);
            return;
        }
        boolean isReady = poller.await(atMostMs);
        if (!isReady && !isDetached) {
            // the kernel reports it once
            isGone |= queues.sockets().getFirst().isInterfaceGone();
        }
    }

    @Override
    public void wakeUp() {
        poller.wakeUp();
    }

    @Override
    public void detach() {
        isDetached = true;
        queues.detach();
    }

    @Override
    public boolean isDrained(long detachedForNs, long quietForNs) {
        return quietForNs > 0 && detachedForNs > DRAIN_NS;
    }

    @Override
    public void count(LiveCounts.Builder counts) {
        long waiting = 0;
        long ringDrops = 0;
        long kernelDrops = 0;
        long freezes = 0;
        for (int i = 0; i < queues.sockets().size(); i++) {
            XdpSocket socket = queues.sockets().get(i);
            waiting += socket.received();
            socket.readStatistics();
            ringDrops += socket.ringFull();
            kernelDrops += socket.dropped();
            freezes += socket.fillEmpty();
        }
        counts.drops(ringDrops, kernelDrops);
        counts.freezes(freezes);
        counts.received(counts.delivered() + waiting + ringDrops + kernelDrops);
    }

    @Override
    public long countIntervalNs() {
        return COUNT_NS;
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public @Nullable String whyGone() {
        return isGone ? DISAPPEARED : null;
    }

    /** Returns a description of what was opened, for a person. */
    String description() {
        return queues.description();
    }

    @Override
    public void close() {
        poller.close();
        queues.close();
    }
}
