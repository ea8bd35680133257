package io.offhook.live;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.offhook.filter.BpfProgram;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.linux.Poller;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.FrameDirection;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The packets of whatever libpcap can capture from: {@code any}, USB, Bluetooth, wireless in monitor mode. Whatever version is
 * installed does, from 1.5 on; nothing of it is shipped. Nothing here needs Linux, but it was never run on another system.
 *
 * <p>libpcap keeps a packet only until it is asked for the next one, so each is copied, once, into memory of the batch that
 * it is handed over in. On Linux {@link PacketSocketSource} does without, and is to be preferred for network interfaces.
 *
 * <p>The filter is compiled here and not by libpcap: the language is the same for all ways to capture, and an expression
 * means what it means on a file. libpcap or the kernel leave out what they can, and each packet that comes is asked once
 * more: of one with a VLAN tag the kernel cannot decide.
 *
 * <p>Counters: {@code ringDrops} is libpcap's ps_drop. {@code kernelDrops} is its ps_ifdrop since the source was opened:
 * drops of the interface or its driver, whoever the packets were for, on Linux and where else the system tells them.
 * ps_recv is not used, as each system counts something else by it (before or after the filter, with drops or without);
 * received is what was handed over, filtered or dropped, and what still waits in libpcap is in none of them.
 */
public final class LibpcapSource implements LiveSource {
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    /** What the kernel gets to hand over the last block once the source is stopped, in timeouts of the buffer. */
    private static final long DRAIN_TIMEOUTS = 4;

    private static final long PARK_NS = 1_000_000L;
    private static final long COUNT_NS = 10_000_000L;
    private static final int FRAME_ROOM = 1024;
    private static final int LEAST_BUFFER = 512 << 10;
    private static final int MOST_BUFFER = 4 << 20;

    private static final int SLL_PACKET_TYPE = 1;
    private static final int SLL2_PACKET_TYPE = 10;
    private static final int SLL_OUTGOING = 4;

    private final CaptureInterface captureInterface;
    private final LibpcapHandle handle;
    private final int linkType;
    private final long drainNs;
    private final PacketFilter filter;
    private final boolean isFiltered;
    /** Null where the device cannot be waited for so, or the system is none that has poll as Linux has. */
    private final @Nullable Poller poller;

    private final Arena arena = Arena.ofShared();
    private final WallClock clock = new WallClock();
    private final LiveCounts.Builder counts = new LiveCounts.Builder();
    private final DropPlaces drops;
    private final List<CaptureFault> faults = new CopyOnWriteArrayList<>();

    private volatile boolean isStopping;
    private volatile LiveCounts published = counts.build();
    private boolean isDraining;
    /** When it was stopped: by the clock that packets are stamped with, and by one that nobody sets. */
    private long stoppedNs;

    private long drainingNs;
    private boolean hasPacket;
    private boolean ended;
    private boolean closed;
    private long nextNumber = 1;
    private long countedNs = clock.nowNs();
    /** When libpcap was last asked for its counters, by {@link System#nanoTime}. */
    private long askedNs = System.nanoTime();

    private int lastDropped;
    private int lastDroppedByInterface;

    private LibpcapSource(LibpcapOptions options, LibpcapHandle handle, String expression) {
        this.handle = handle;
        String name = options.interfaceName();
        linkType = linkType(handle.dataLink());
        drainNs = DRAIN_TIMEOUTS * options.timeoutMs() * 1_000_000L;
        captureInterface = new CaptureInterface(name, linkType, options.snapLength(), 1_000_000_000, 0, name);
        drops = new DropPlaces(name);
        isFiltered = !expression.isBlank();
        BpfProgram program = FilterCompiler.compile(expression, linkType, options.snapLength());
        filter = PacketFilter.of(program);
        if (isFiltered && !program.hasLoop()) {
            filterBefore(program, options.snapLength(), expression);
        }
        int descriptor = IS_LINUX ? handle.descriptor() : -1;
        poller = descriptor < 0 ? null : new Poller(descriptor);
        if (handle.readStatistics()) {
            lastDropped = handle.dropped();
            lastDroppedByInterface = handle.droppedByInterface();
        }
    }

    /** The cooked headers of {@code any} are made after the kernel's filter; all else it sees as it is. */
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
     * Begins to capture.
     *
     * @param expression a filter of pcap-filter(7); empty for all packets
     * @throws LibpcapException where libpcap is not installed, or refuses: why, in its words
     * @throws FilterException where the expression is none
     */
    public static LibpcapSource open(LibpcapOptions options, String expression) {
        LibpcapHandle handle = LibpcapHandle.open(options);
        try {
            return new LibpcapSource(options, handle, expression);
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
    }

    /** The version that is installed, as it says itself; null where none is. */
    public static @Nullable String version() {
        return Pcap.isInstalled() ? Pcap.version() : null;
    }

    /** As capture files number it; libpcap has numbers of the system's own for a few. */
    static int linkType(int dataLink) {
        return switch (dataLink) {
            case LinkType.RAW_BSD, LinkType.RAW_OPENBSD -> LinkType.RAW;
            case 11 -> LinkType.ATM_RFC1483;
            case 19 -> LinkType.LINUX_ATM_CLIP;
            default -> dataLink;
        };
    }

    /** What libpcap warned of when it was opened: no promiscuous mode, say. Capturing goes on. */
    public List<String> warnings() {
        return handle.warnings();
    }

    @Override
    public boolean next(FrameBatch batch) {
        if (closed) {
            throw new IllegalStateException("the source is closed");
        }
        batch.clear(nextNumber);
        if (ended) {
            return false;
        }
        if (isStopping && !isDraining) {
            isDraining = true;
            stoppedNs = clock.nowNs();
            drainingNs = System.nanoTime();
        }
        fill(batch);
        if (batch.count() == 0 && !ended) {
            await();
            fill(batch);
        }
        count(batch);
        return batch.count() > 0 || !ended;
    }

    private void await() {
        Poller waiting = poller;
        if (waiting == null) {
            LockSupport.parkNanos(PARK_NS);
        } else {
            waiting.await(isDraining ? 1 : IDLE_MS);
        }
    }

    /** Takes what there is, as far as batch and buffer go. */
    private void fill(FrameBatch batch) {
        MemorySegment buffer = buffer(batch);
        int segment = batch.addSegment(buffer);
        long used = 0;
        while (!batch.isFull() && take()) {
            if (isDraining && handle.timestampNs() > stoppedNs) {
                // it came after the end; on a busy interface there is always one
                ended = true;
                return;
            }
            int captured = handle.capturedLength();
            if (captured > buffer.byteSize() - used) {
                // stays at hand
                return;
            }
            hasPacket = false;
            handle.copyTo(buffer, used, captured);
            int wire = handle.wireLength();
            if (isFiltered && filter.match(buffer, used, captured, wire) == 0) {
                counts.filtered++;
                continue;
            }
            batch.add(segment, used, captured, wire, handle.timestampNs(), 0, linkType);
            batch.direction(direction(buffer, used, captured));
            used += captured;
        }
    }

    /** Whether a packet is at hand now. */
    private boolean take() {
        if (hasPacket || ended) {
            return hasPacket;
        }
        int result = handle.next();
        if (result < 0 && result != Pcap.PCAP_ERROR_BREAK) {
            String error = handle.error();
            faults.add(new CaptureFault(CaptureFault.Kind.UNREADABLE, captureInterface.file(), -1, error));
            ended = true;
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

    /** Memory of the batch, of this source's if it has none that is enough. */
    private MemorySegment buffer(FrameBatch batch) {
        MemorySegment buffer = batch.buffer();
        if (buffer.byteSize() < LEAST_BUFFER || !buffer.scope().isAlive()) {
            buffer = arena.allocate(Math.clamp((long) batch.capacity() * FRAME_ROOM, LEAST_BUFFER, MOST_BUFFER));
            batch.buffer(buffer);
        }
        return buffer;
    }

    private void count(FrameBatch batch) {
        long runningNs = System.nanoTime();
        boolean isQuiet = batch.count() == 0 && !hasPacket;
        if (isDraining && isQuiet && runningNs - drainingNs > drainNs) {
            ended = true;
        }
        nextNumber += batch.count();
        counts.delivered += batch.count();
        if (ended || isQuiet || runningNs - askedNs > COUNT_NS) {
            askedNs = runningNs;
            ask(clock.nowNs());
        }
        drops.frames(batch);
        if (ended) {
            drops.end();
        }
    }

    private void ask(long nowNs) {
        if (handle.readStatistics()) {
            long ring = grown(lastDropped, handle.dropped());
            long kernel = grown(lastDroppedByInterface, handle.droppedByInterface());
            lastDropped = handle.dropped();
            lastDroppedByInterface = handle.droppedByInterface();
            counts.ringDrops += ring;
            counts.kernelDrops += kernel;
            drops.add(ring + kernel, countedNs, nowNs);
        }
        countedNs = nowNs;
        counts.received = counts.delivered + counts.filtered + counts.ringDrops + counts.kernelDrops;
        published = counts.build();
    }

    /** By how much a counter of 32 bits has grown; one that went back has begun anew, as with its driver. */
    static long grown(int before, int now) {
        return Math.max(0, now - before);
    }

    @Override
    public void stop() {
        isStopping = true;
        Poller waiting = poller;
        if (waiting != null) {
            waiting.wakeUp();
        }
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
            Poller waiting = poller;
            if (waiting != null) {
                waiting.close();
            }
            handle.close();
            arena.close();
        }
    }
}
