package io.offhook.flow.fragment;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.state.Counts;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles IPv4 (RFC 791, RFC 815) and IPv6 (RFC 8200, 4.5) fragments.
 *
 * <p>Pass every packet that is a fragment to {@link #add}. If the result is {@link Result#COMPLETE},
 * {@link #datagram()} is the whole IP packet, to be walked as {@link io.offhook.packet.LinkType#RAW}. Its header is
 * that of the first fragment, with the length, fragment fields and IPv4 checksum of the whole packet, or without the
 * IPv6 fragment header. A datagram that contains an inner fragment may itself be passed to {@link #add}.
 *
 * <p>Fragments of a datagram share source, destination, identification, protocol (IPv4) and the caller's scope. They
 * may arrive in any order. A fragment whose bytes have all arrived before is a duplicate. If IPv4 fragments overlap,
 * the {@link OverlapPolicy} decides which bytes count. An IPv6 datagram with an overlap is discarded, with all further
 * fragments (RFC 5722); exact duplicates are exempt. Two last fragments that disagree, or one that ends before another
 * fragment does, discard the datagram. The same fragment again within 10 ms is a duplicate even after its datagram was
 * completed: a mirrored packet.
 *
 * <p>A snapped fragment counts with its original length. The datagram then ends at the first missing byte
 * ({@link #isShort()}), and its header states the full length, as for any snapped packet.
 *
 * <p>Time is packet time. A datagram that is incomplete {@link FragmentLimits#timeoutNs()} after its first fragment is
 * given up. Fragments of other datagrams remove it only after twice that time, so that completion depends on a
 * datagram's own fragments only, even if timestamps go backwards a little. Not thread-safe: for one thread at a time.
 * Closing frees the memory.
 */
public final class FragmentTable implements AutoCloseable {

    /** The outcome of adding a fragment. */
    public enum Result {
        /** The fragment completed its datagram: {@link #datagram()} returns it. */
        COMPLETE,
        /** The fragment is held until the others arrive. */
        WAITING,
        /** All bytes of the fragment had arrived before. */
        DUPLICATE,
        /** The fragment cannot be used; {@link #count} has the reason. */
        DROPPED
    }

    private final Counts<FragmentCounter> counts = new Counts<>(FragmentCounter.class);
    private final OverlapPolicy policy;
    private final DatagramTable table;
    private final WholeDatagram whole;
    private final FragmentView fragment = new FragmentView();
    private final RecentFragments recent = new RecentFragments();
    private @Nullable FragmentTrace trace;

    /**
     * Creates a table that copies fragments and uses {@link OverlapPolicy#FIRST}; datagrams that stay incomplete are
     * not reported.
     */
    public FragmentTable(FragmentLimits limits) {
        this(limits, null);
    }

    /**
     * Creates a table that copies fragments, uses {@link OverlapPolicy#FIRST} and reports the beginnings of datagrams
     * that stay incomplete.
     *
     * @param handler receives the beginnings of datagrams that are given up or {@linkplain #reportBeginnings
     *     requested}; null for none
     */
    public FragmentTable(FragmentLimits limits, @Nullable DatagramBeginningHandler handler) {
        this(limits, OverlapPolicy.FIRST, Holding.COPY, handler);
    }

    /**
     * Creates a table.
     *
     * @param limits the limits of the table
     * @param policy the overlap policy for IPv4; IPv6 permits no overlap
     * @param holding whether fragments are copied or referenced until their datagram is complete
     * @param handler receives the beginnings of datagrams that are given up or asked for; null for none
     */
    public FragmentTable(
            FragmentLimits limits, OverlapPolicy policy, Holding holding, @Nullable DatagramBeginningHandler handler) {
        this.policy = policy;
        table = new DatagramTable(limits, holding, counts, handler);
        int maxStretches = 2 * limits.fragmentsPerDatagram() + 2;
        whole = new WholeDatagram(new DatagramWriter(table.pool()), holding == Holding.REFERENCE, maxStretches);
    }

    /** Enables the tracing of the frames of each datagram. */
    public FragmentTrace trace() {
        FragmentTrace made = trace == null ? new FragmentTrace() : trace;
        trace = made;
        table.trace(made);
        return made;
    }

    /**
     * Adds the outermost fragment of a packet. VLANs separate equal addresses.
     *
     * @param walker a walker that has walked the packet and found
     *     {@linkplain PacketWalker#outermostFragment() a fragment}
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @param frameNumber the number of the frame, 1-based
     * @throws IllegalArgumentException if the packet has no fragment
     */
    public Result add(PacketWalker walker, long timestampNs, long frameNumber) {
        int layer = walker.outermostFragment();
        if (layer < 0) {
            throw new IllegalArgumentException("frame " + frameNumber + " has no IP fragment");
        }
        return add(
                walker.segment(),
                walker.layerOffset(layer),
                walker.layerLength(layer),
                timestampNs,
                frameNumber,
                walker.scope());
    }

    /**
     * Adds a fragment.
     *
     * @param segment native memory with the packet. It is borrowed for the call or, with {@link Holding#REFERENCE},
     *     until its datagram was completed and read; it must then not be the reused buffer of {@link #datagram()}
     * @param ipOffset the first byte of the IP header in the segment
     * @param ipLength bytes captured from there on; link padding behind the packet is ignored
     * @param timestampNs the time of the packet, in nanoseconds since the epoch
     * @param frameNumber the number of the frame, 1-based
     * @param scope separates equal addresses in different VLANs or tunnels
     */
    public Result add(
            MemorySegment segment, long ipOffset, int ipLength, long timestampNs, long frameNumber, int scope) {
        counts.add(FragmentCounter.FRAGMENTS);
        WrapStatus status = fragment.wrap(segment, ipOffset, ipLength);
        if (status != WrapStatus.OK) {
            return drop(
                    frameNumber,
                    timestampNs,
                    status == WrapStatus.TRUNCATED ? FragmentCounter.TRUNCATED : FragmentCounter.MALFORMED);
        }
        if (fragment.isWhole()) {
            return addWhole(segment, ipOffset, timestampNs, frameNumber);
        }
        if (!fragment.isPossible()) {
            return drop(frameNumber, timestampNs, FragmentCounter.MALFORMED);
        }
        if (fragment.isTiny()) {
            counts.addAt(frameNumber, timestampNs, FragmentCounter.TINY);
        }
        if (recent.isRepeated(fragment, scope, segment, ipOffset, timestampNs)) {
            counts.addAt(frameNumber, timestampNs, FragmentCounter.DUPLICATES);
            if (trace != null) {
                trace.repeated(table.find(fragment, scope), fragment, scope, frameNumber);
            }
            return Result.DUPLICATE;
        }
        table.expire(timestampNs);
        Datagram into = table.datagramOf(fragment, scope, timestampNs, frameNumber);
        Result result = addPart(into, segment, ipOffset, timestampNs, frameNumber);
        if (trace != null && result == Result.COMPLETE) {
            trace.remember(fragment, scope, frameNumber);
        }
        return result;
    }

    /**
     * The memory with the completed datagram in one piece, starting at {@link #datagramOffset()}; valid until the next
     * call of {@link #add}. With {@link Holding#REFERENCE} the first call of this method copies the datagram.
     */
    public MemorySegment datagram() {
        return whole.segment();
    }

    /**
     * The completed datagram as its parts: the rewritten header and the payloads of the fragments, each with its frame
     * number as origin. With {@link Holding#REFERENCE} nothing is copied. Valid until the next call of {@link #add}.
     */
    public CompositeBuffer stretches() {
        return whole.stretches();
    }

    /** The offset of the IP header in {@link #datagram()}. */
    public long datagramOffset() {
        return whole.offset();
    }

    /**
     * The length of the datagram from its IP header on, in bytes; less than its header states if the datagram
     * {@link #isShort()}.
     */
    public int datagramLength() {
        return whole.length();
    }

    /** Whether bytes of the datagram are missing because a fragment was snapped. */
    public boolean isShort() {
        return whole.isShort;
    }

    /** Whether the beginning of the completed datagram was reported before, and the handler had use for it. */
    public boolean isBeginningReported() {
        return whole.isBeginningReported;
    }

    /**
     * Reports the beginnings of the datagrams that have waited for longer than {@code ageNs}; they keep waiting. Report
     * early what affects ordering: fragments rarely arrive more than a few milliseconds apart.
     *
     * @param timestampNs the current packet time, in nanoseconds since the epoch
     * @param ageNs the least time since the first fragment, in nanoseconds; negative for all datagrams
     */
    public void reportBeginnings(long timestampNs, long ageNs) {
        table.reportBeginnings(timestampNs, ageNs);
    }

    /** The number of fragments of the completed datagram, without duplicates. */
    public int fragmentCount() {
        return whole.fragments;
    }

    /** The number of the frame that carried the completed datagram's fragment captured first. */
    public long firstFrameNumber() {
        return whole.firstFrameNumber;
    }

    /** The time of that frame, in nanoseconds since the epoch. */
    public long firstTimestampNs() {
        return whole.firstTimestampNs;
    }

    /** The value of a counter. */
    public long count(FragmentCounter counter) {
        return counts.get(counter);
    }

    /**
     * The value of a counter with its place: the place of the fragment or, for datagrams, of their fragment captured
     * first. Fragments and completed datagrams have no place.
     */
    public PlacedCount placed(FragmentCounter counter) {
        return counts.placed(counter);
    }

    /** The number of datagrams in the table, including discarded ones that are remembered. */
    public int size() {
        return table.size();
    }

    /** Bytes of memory reserved for fragments: at most {@link FragmentLimits#bytes()}, and 64 KiB for the datagram. */
    public long reservedBytes() {
        return table.pool().reservedBytes();
    }

    /** Gives up all incomplete datagrams. Call it when the capture has ended. */
    public void flush() {
        table.giveUpAll(FragmentCounter.UNFINISHED);
    }

    @Override
    public void close() {
        table.pool().close();
    }

    private Result drop(long frameNumber, long timestampNs, FragmentCounter cause) {
        counts.addAt(frameNumber, timestampNs, cause);
        return Result.DROPPED;
    }

    private Result addWhole(MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        whole.become(fragment, segment, ipOffset, timestampNs, frameNumber);
        if (trace != null) {
            trace.whole(frameNumber);
        }
        return completed();
    }

    /** Counts the datagram that was completed. */
    private Result completed() {
        counts.add(FragmentCounter.COMPLETED);
        if (whole.isShort) {
            counts.addAt(whole.firstFrameNumber, whole.firstTimestampNs, FragmentCounter.COMPLETED_SHORT);
        }
        return Result.COMPLETE;
    }

    private Result addPart(Datagram into, MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        if (into.discarded) {
            return drop(frameNumber, timestampNs, FragmentCounter.AFTER_DISCARD);
        }
        if (into.version != fragment.version()) {
            return drop(frameNumber, timestampNs, FragmentCounter.MALFORMED);
        }
        if (trace != null) {
            trace.note(into, frameNumber);
        }
        int start = fragment.fragmentOffset();
        int end = start + fragment.payloadWireLength();
        boolean isCovered = into.payload.covers(start, end) && (into.payloadLength == end || fragment.hasMore());
        boolean isReplacing = policy != OverlapPolicy.FIRST && into.version == 4;
        if (isCovered && (!isReplacing || isHeld(into, segment, ipOffset))) {
            return addCovered(into, segment, ipOffset, timestampNs, frameNumber);
        }
        boolean overlaps = into.payload.overlaps(start, end);
        if (overlaps) {
            counts.addAt(frameNumber, timestampNs, FragmentCounter.OVERLAPS);
        }
        if (contradicts(into, end) || into.version == 6 && overlaps) {
            return discard(into);
        }
        if (!fragment.hasMore()) {
            into.payloadLength = end;
        }
        if (overlaps && isReplacing) {
            into.payload.giveWay(start, end, policy, false);
        }
        if (!table.keep(into, fragment, segment, ipOffset, timestampNs, frameNumber)) {
            table.giveUp(into, FragmentCounter.EVICTED);
            return Result.DROPPED;
        }
        return into.isComplete() ? complete(into) : Result.WAITING;
    }

    /** Handles a fragment whose positions are all held: a duplicate if the bytes are equal, otherwise an overlap. */
    private Result addCovered(Datagram into, MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        int start = fragment.fragmentOffset();
        int end = start + fragment.payloadWireLength();
        boolean same = isHeld(into, segment, ipOffset);
        if (into.version == 6 && !(same && into.payload.isOneInsertion(start, end))) {
            counts.addAt(frameNumber, timestampNs, FragmentCounter.OVERLAPS);
            return discard(into);
        }
        counts.addAt(frameNumber, timestampNs, same ? FragmentCounter.DUPLICATES : FragmentCounter.OVERLAPS);
        return Result.DUPLICATE;
    }

    /** Whether the captured bytes of the fragment equal those held for their positions. */
    private boolean isHeld(Datagram into, MemorySegment segment, long ipOffset) {
        return into.payload.holds(
                fragment.fragmentOffset(), segment, ipOffset + fragment.payloadStart(), fragment.payloadLength());
    }

    /** Whether a fragment that ends here contradicts the known length of the datagram. */
    private boolean contradicts(Datagram into, int end) {
        if (into.payloadLength != Datagram.UNKNOWN) {
            return end > into.payloadLength || !fragment.hasMore() && end != into.payloadLength;
        }
        return !fragment.hasMore() && !into.payload.isEmpty() && into.payload.lastEnd() > end;
    }

    private Result discard(Datagram datagram) {
        if (datagram.version == 4) {
            table.giveUp(datagram, FragmentCounter.DISCARDED);
        } else {
            table.discard(datagram);
        }
        return Result.DROPPED;
    }

    private Result complete(Datagram datagram) {
        if (!FragmentView.fits(datagram.version, datagram.headerLength, datagram.payloadLength)) {
            table.giveUp(datagram, FragmentCounter.DISCARDED);
            return Result.DROPPED;
        }
        whole.become(datagram);
        if (trace != null) {
            trace.completed(datagram);
        }
        table.remove(datagram);
        return completed();
    }
}
