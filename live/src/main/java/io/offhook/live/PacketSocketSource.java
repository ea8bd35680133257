package io.offhook.live;

import io.offhook.filter.FilterException;
import io.offhook.linux.NetworkDevice;
import io.offhook.linux.Poller;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * The packets of one interface by AF_PACKET, packet(7): those that come in and those that this machine sends. The ring is
 * memory that the kernel and this process share; nothing is copied between the two.
 *
 * <p>Frames lie in ring blocks, which a batch keeps until it is handed in again: as many batches may be in use at a time as
 * the ring has blocks, and a batch that never comes back costs the ring its blocks. A frame's VLAN tag, which the network
 * card or the kernel takes out, is put back.
 *
 * <p>Needs CAP_NET_RAW. An interface that goes down is waited for; one that disappears ends the source with a fault.
 */
public final class PacketSocketSource implements LiveSource {
    /** What the kernel gets to hand over the last block, beyond the time that it should take. */
    private static final long DRAIN_NS = 1_000_000_000L;

    /** As many members as a group of the kernel's has. */
    private static final int MOST_SOURCES = 256;

    /** Between two looks at the ring where poll cannot wait for it. */
    private static final long HELD_NS = 1_000_000L;

    private final PacketSocketOptions options;
    private final CaptureInterface captureInterface;
    private final PacketRing ring;
    private final Poller poller;
    private final BlockFrames frames;
    private final LiveCounts.Builder counts = new LiveCounts.Builder();
    private final DropPlaces drops;
    private final List<CaptureFault> faults = new CopyOnWriteArrayList<>();
    private final BlockLoans loans;

    private volatile boolean isStopping;
    private volatile LiveCounts published = counts.build();
    private volatile long stampedByHardware;
    /** Whether the interface went down, once: frames that come then may be older, and say nothing of what it is now. */
    private boolean wentDown;

    private boolean isDetached;
    /** Whether the last wait was none, as a batch had the block before. */
    private boolean wasHeld;
    /** When frames came last. */
    private long quietNs = System.nanoTime();

    private boolean ended;
    private boolean closed;
    private long nextNumber = 1;
    private long countedNs = WallClock.kernelNs();

    private PacketSocketSource(PacketSocketOptions options, int linkType, KernelFilter filter, PacketRing ring) {
        this.options = options;
        this.ring = ring;
        String name = options.interfaceName();
        captureInterface = new CaptureInterface(name, linkType, options.snapLength(), 1_000_000_000, 0, name);
        drops = new DropPlaces(name);
        poller = new Poller(ring.descriptor());
        frames = new BlockFrames(ring, linkType, options.snapLength(), filter.whole());
        loans = new BlockLoans(ring);
    }

    /**
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7), run in the kernel; empty for all packets
     * @throws io.offhook.linux.LinuxException EPERM where CAP_NET_RAW is missing
     * @throws FilterException where the expression is none, or the kernel cannot run it
     * @throws IllegalArgumentException where there is no such interface, its packets have a form that is not known, or its
     *     card cannot stamp them as the options want it
     */
    public static PacketSocketSource open(PacketSocketOptions options, String expression) {
        NetworkDevice device = device(options.interfaceName());
        int linkType = knownLinkType(device);
        KernelFilter filter = KernelFilter.of(expression, linkType, options.snapLength());
        options.clock().switchOn(device.name());
        PacketRing ring = PacketRing.open(options, device, filter.program());
        try {
            return new PacketSocketSource(options, linkType, filter, ring);
        } catch (RuntimeException e) {
            ring.close();
            throw e;
        }
    }

    /**
     * Begins to capture by several sources that share the packets of the interface: each packet comes to one of them. They
     * are for a lane each, and as independent of each other as sources of different interfaces; packets for one that was
     * {@linkplain #stop stopped} before the others are lost, and not counted.
     *
     * <p>{@link LiveCounts} are each source's own, and add up.
     *
     * @param expression as in {@link #open}
     * @param count how many, 1 to 256
     * @throws io.offhook.linux.LinuxException EPERM where CAP_NET_RAW is missing
     * @throws FilterException where the expression is none, or the kernel cannot run it
     * @throws IllegalArgumentException where there is no such interface, it is down, its packets have a form that is not known,
     *     or its card cannot stamp them as the options want it
     */
    public static List<PacketSocketSource> openGroup(
            PacketSocketOptions options, String expression, FanOut fanOut, int count) {
        if (count < 1 || count > MOST_SOURCES) {
            throw new IllegalArgumentException("count " + count + " is outside 1 to " + MOST_SOURCES);
        }
        NetworkDevice device = device(options.interfaceName());
        if (!device.isUp()) {
            throw new IllegalArgumentException("interface " + device.name() + " is down, and packets are shared of one"
                    + " that is up; ip link set " + device.name() + " up");
        }
        int linkType = knownLinkType(device);
        KernelFilter filter = KernelFilter.of(expression, linkType, options.snapLength());
        options.clock().switchOn(device.name());
        List<PacketRing> rings = new ArrayList<>();
        List<PacketSocketSource> sources = new ArrayList<>();
        try {
            int group = PacketRing.NEW_GROUP;
            for (int i = 0; i < count; i++) {
                // until it has joined it would get what another gets, too
                PacketRing ring = PacketRing.open(options, device, KernelFilter.nothing());
                rings.add(ring);
                group = ring.join(group, fanOut);
            }
            for (PacketRing ring : rings) {
                ring.attach(filter.program());
                sources.add(new PacketSocketSource(options, linkType, filter, ring));
            }
            return List.copyOf(sources);
        } catch (RuntimeException e) {
            sources.forEach(PacketSocketSource::close);
            rings.subList(sources.size(), rings.size()).forEach(PacketRing::close);
            throw e;
        }
    }

    /** The interface of that name. */
    static NetworkDevice device(String name) {
        NetworkDevice device = NetworkDevice.named(name);
        if (device == null) {
            throw new IllegalArgumentException("there is no interface " + name);
        }
        return device;
    }

    /** As {@link #linkType}, where it is known. */
    static int knownLinkType(NetworkDevice device) {
        int linkType = linkType(device);
        if (linkType < 0) {
            throw new IllegalArgumentException("interface " + device.name() + " has hardware type "
                    + device.hardwareType() + " (ARPHRD_ of net/if_arp.h), whose frames are not known");
        }
        return linkType;
    }

    /** The {@link LinkType} of an interface's frames, or -1 where their form is not known. */
    public static int linkType(NetworkDevice device) {
        return switch (device.hardwareType()) {
            case NetworkDevice.ETHERNET, NetworkDevice.LOOPBACK -> LinkType.ETHERNET;
            case NetworkDevice.RAW_IP, NetworkDevice.NONE -> LinkType.RAW;
            case NetworkDevice.WIRELESS -> LinkType.IEEE802_11;
            case NetworkDevice.WIRELESS_RADIOTAP -> LinkType.IEEE802_11_RADIOTAP;
            default -> -1;
        };
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (closed) {
            throw new IllegalStateException("the source is closed");
        }
        loans.giveBack(batch);
        batch.clear(nextNumber);
        if (ended) {
            return false;
        }
        if (isStopping && !isDetached) {
            // not only when the ring is empty: on a busy interface it never is
            isDetached = true;
            ring.attach(KernelFilter.nothing());
        }
        fill(batch);
        if (batch.count() == 0) {
            await();
            fill(batch);
        }
        count(batch);
        return batch.count() > 0 || !ended;
    }

    @Override
    public void release(FrameBatch batch) {
        loans.giveBack(batch);
        batch.clear(nextNumber);
    }

    private void await() {
        boolean isReady = poller.await(isDetached ? options.blockTimeoutMs() : awaited());
        boolean hasFailed = isReady && poller.hasFailed(0);
        if (hasFailed) {
            ring.takeError();
            wentDown = true;
        }
        if (wentDown) {
            lookForInterface();
        }
        // the kernel calls the ring readable while the block before is with a batch, though nothing has come
        boolean isHeld = isReady && !hasFailed && ring.peek() < 0;
        if (isHeld && wasHeld) {
            LockSupport.parkNanos(HELD_NS);
        }
        // at first that is told by an empty batch, for the one that has the block may come back by that
        wasHeld = isHeld;
    }

    /** Waits as long as {@link #next} may, where not in the kernel; for how many milliseconds it is to be done there. */
    private int awaited() {
        IdleStrategy idleStrategy = options.idleStrategy();
        if (idleStrategy == IdleStrategy.PARK) {
            return IDLE_MS;
        }
        long untilNs = System.nanoTime() + IDLE_MS * 1_000_000L;
        int rounds = 0;
        // nothing comes into a ring that is lent whole: the one that has its blocks is told at once, by an empty batch
        while (ring.peek() < 0 && !ring.isNextTaken() && !isStopping && System.nanoTime() - untilNs < 0) {
            rounds = idleStrategy.idle(rounds);
        }
        return 0;
    }

    /** One that disappears goes down first: of that the kernel tells, of the rest only who asks. */
    private void lookForInterface() {
        if (!isStopping && ring.isInterfaceGone()) {
            faults.add(new CaptureFault(
                    CaptureFault.Kind.UNREADABLE, options.interfaceName(), -1, "the interface has disappeared"));
            isStopping = true;
        }
    }

    /** Whether all that the kernel had was handed over: the last block comes once its time is over, full or not. */
    private boolean isDrained() {
        return counts.received - counts.ringDrops == counts.delivered + counts.filtered
                || System.nanoTime() - quietNs > DRAIN_NS + 3_000_000L * options.blockTimeoutMs();
    }

    /** Takes what blocks there are. */
    private void fill(FrameBatch batch) {
        int segment = batch.addSegment(ring.memory());
        while (!batch.isFull() && frames.begin()) {
            loans.lend(frames.block(), batch);
            if (frames.addTo(batch, segment)) {
                loans.end(ring.take());
            }
        }
    }

    private void count(FrameBatch batch) {
        long before = counts.ringDrops;
        ring.count(counts);
        long nowNs = WallClock.kernelNs();
        drops.add(counts.ringDrops - before, countedNs, nowNs);
        drops.frames(batch);
        countedNs = nowNs;
        nextNumber += batch.count();
        counts.delivered += batch.count();
        counts.filtered = frames.filtered();
        stampedByHardware = frames.stampedByHardware();
        if (batch.count() > 0 || !isDetached) {
            quietNs = System.nanoTime();
        }
        if (isDetached && isDrained()) {
            ended = true;
            drops.end();
        }
        published = counts.build();
    }

    @Override
    public void stop() {
        isStopping = true;
        poller.wakeUp();
    }

    /** Of the frames delivered so far, how many have a time of the network card's clock; any thread may ask. */
    public long stampedByHardware() {
        return stampedByHardware;
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
            ring.close();
        }
    }
}
