package io.offhook.live.libpcap;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.PacketFilter;
import io.offhook.linux.raw.Poller;
import io.offhook.live.BatchLoans;
import io.offhook.live.LiveCounts;
import io.offhook.live.RingDriver;
import io.offhook.live.WallClock;
import io.offhook.live.engine.KernelFilter;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureInterface;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Drives a libpcap handle, whose packets are copied into batches. */
final class LibpcapDriver implements RingDriver {
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    /**
     * The time that the kernel gets to deliver the last block after the source was stopped, in timeouts of the buffer.
     */
    private static final long DRAIN_TIMEOUTS = 4;

    private static final long PARK_NS = 1_000_000L;
    private static final long COUNT_NS = 10_000_000L;
    private static final int SLL_PACKET_TYPE = 1;
    private static final int SLL2_PACKET_TYPE = 10;
    private static final int SLL_OUTGOING = 4;

    private final CaptureInterface captureInterface;
    private final PacketHandle handle;
    private final int linkType;
    private final long drainNs;
    private final PacketFilter filter;
    private final boolean isFiltered;
    /** Null if the device cannot be polled, or the system has no poll like that of Linux. */
    private final @Nullable Poller poller;

    private final WallClock clock = new WallClock();

    private boolean isDetached;
    /** The time of the detachment, by the clock of the packets. */
    private long detachedNs;

    private boolean hasPacket;
    /** Whether a packet from after the end was found. */
    private boolean isPast;

    private @Nullable String failure;
    private long filtered;
    private int lastDropped;
    private int lastDroppedByInterface;

    LibpcapDriver(LibpcapOptions options, PacketHandle handle, String expression) {
        this.handle = handle;
        String name = options.interfaceName();
        linkType = linkType(handle.dataLink());
        drainNs = DRAIN_TIMEOUTS * options.timeoutMs() * 1_000_000L;
        captureInterface = new CaptureInterface(name, linkType, options.snapLength(), 1_000_000_000, 0, name);
        isFiltered = !expression.isBlank();
        BpfProgram program = FilterCompiler.compile(expression, linkType, options.snapLength());
        filter = PacketFilter.of(program);
        if (isFiltered && !program.hasLoop()) {
            filterBefore(program, options.snapLength(), expression);
        }
        if (handle.readStatistics()) {
            lastDropped = handle.dropped();
            lastDroppedByInterface = handle.droppedByInterface();
        }
        int descriptor = IS_LINUX ? handle.descriptor() : -1;
        poller = descriptor < 0 ? null : new Poller(descriptor); // last, as what fails after it would leave it open
    }

    /**
     * Filters in libpcap or the kernel, too. The cooked headers of {@code any} are created after the kernel's filter;
     * it sees all other frames as they are.
     */
    private void filterBefore(BpfProgram program, int snapLength, String expression) {
        boolean isCooked = linkType == LinkType.LINUX_SLL || linkType == LinkType.LINUX_SLL2;
        if (!isCooked && program.length() < BpfProgram.MAX_KERNEL_LENGTH / 2) {
            boolean isStripped = IS_LINUX && linkType == LinkType.ETHERNET;
            handle.filter(
                    isStripped
                            ? KernelFilter.of(expression, linkType, snapLength).program()
                            : program);
        }
    }

    /**
     * Returns the link type as numbered in capture files; libpcap uses numbers of the operating system for some of
     * them.
     */
    static int linkType(int dataLink) {
        return switch (dataLink) {
            case LinkType.RAW_BSD, LinkType.RAW_OPENBSD -> LinkType.RAW;
            case 11 -> LinkType.ATM_RFC1483;
            case 19 -> LinkType.LINUX_ATM_CLIP;
            default -> dataLink;
        };
    }

    @Override
    public CaptureInterface captureInterface() {
        return captureInterface;
    }

    @Override
    public List<String> notes() {
        return handle.warnings();
    }

    /** {@inheritDoc} Packets are copied, because libpcap keeps each one only until the next is requested. */
    @Override
    public void fill(FrameBatch batch, BatchLoans.Loan loan) {
        MemorySegment buffer = loan.copies();
        int segment = batch.addSegment(buffer);
        // limited, because a filter that rejects everything never fills a batch
        for (int seen = 0; seen < batch.capacity() && !batch.isFull() && hasFrames(); seen++) {
            if (isDetached && handle.timestampNs() > detachedNs) {
                // arrived after the end; a busy interface never runs dry
                isPast = true;
                return;
            }
            int captured = handle.capturedLength();
            if (!loan.hasRoom(captured)) {
                // kept for the next batch
                return;
            }
            hasPacket = false;
            long frame = loan.end();
            handle.copyTo(buffer, frame, captured);
            int wire = handle.wireLength();
            if (isFiltered && filter.match(buffer, frame, captured, wire) == 0) {
                filtered++;
                continue;
            }
            batch.add(segment, frame, captured, wire, handle.timestampNs(), 0, linkType);
            batch.direction(direction(buffer, frame, captured));
            loan.keep(captured);
        }
    }

    /** {@inheritDoc} Nothing is lent, because packets are copies. */
    @Override
    public void giveBack(long[] places, int count) {}

    /** Returns whether a packet is at hand. */
    @Override
    public boolean hasFrames() {
        if (hasPacket || isPast || failure != null) {
            return hasPacket;
        }
        int result = handle.next();
        if (result < 0 && result != Pcap.PCAP_ERROR_BREAK) {
            failure = handle.error();
        }
        hasPacket = result == 1;
        return hasPacket;
    }

    private FrameDirection direction(MemorySegment buffer, long frame, int captured) {
        int at = linkType == LinkType.LINUX_SLL ? SLL_PACKET_TYPE : SLL2_PACKET_TYPE;
        if (linkType != LinkType.LINUX_SLL && linkType != LinkType.LINUX_SLL2 || captured <= at) {
            return FrameDirection.UNKNOWN;
        }
        return buffer.get(JAVA_BYTE, frame + at) == SLL_OUTGOING ? FrameDirection.OUTGOING : FrameDirection.INCOMING;
    }

    @Override
    public void await(int atMostMs) {
        Poller waiting = poller;
        if (waiting == null) {
            LockSupport.parkNanos(PARK_NS);
        } else {
            waiting.await(isDetached ? 1 : atMostMs);
        }
    }

    @Override
    public void wakeUp() {
        Poller waiting = poller;
        if (waiting != null) {
            waiting.wakeUp();
        }
    }

    @Override
    public void detach() {
        isDetached = true;
        detachedNs = clock.nowNs();
    }

    @Override
    public boolean isDrained(long detachedForNs, long quietForNs) {
        return isPast || failure != null || quietForNs > 0 && !hasPacket && detachedForNs > drainNs;
    }

    @Override
    public void count(LiveCounts.Builder counts) {
        if (handle.readStatistics()) {
            counts.drops(
                    counts.ringDrops() + grown(lastDropped, handle.dropped()),
                    counts.kernelDrops() + grown(lastDroppedByInterface, handle.droppedByInterface()));
            lastDropped = handle.dropped();
            lastDroppedByInterface = handle.droppedByInterface();
        }
        counts.received(counts.delivered() + counts.filtered() + counts.ringDrops() + counts.kernelDrops());
    }

    /** Returns how much a 32-bit counter has grown; one that went back was reset, for instance with its driver. */
    static long grown(int before, int now) {
        return Math.max(0, now - before);
    }

    @Override
    public long countIntervalNs() {
        return COUNT_NS;
    }

    @Override
    public long filtered() {
        return filtered;
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public @Nullable String whyGone() {
        return failure;
    }

    @Override
    public void close() {
        Poller waiting = poller;
        if (waiting != null) {
            waiting.close();
        }
        handle.close();
    }
}
