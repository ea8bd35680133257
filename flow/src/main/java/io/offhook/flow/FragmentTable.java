package io.offhook.flow;

import io.offhook.packet.CompositeBuffer;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.VlanView;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Puts IPv4 (RFC 791, RFC 815) and IPv6 (RFC 8200, 4.5) fragments together.
 *
 * <p>Give every packet that is a fragment to {@link #add}. When it says {@link Result#COMPLETE}, {@link #datagram()} is
 * the whole IP packet, to be walked as {@link io.offhook.packet.LinkType#RAW}: the header of the first fragment, with
 * length, fragment fields and IPv4 checksum of the whole, or without the IPv6 fragment header. A datagram that holds an
 * inner fragment may be given to {@link #add} itself.
 *
 * <p>Fragments belong together by source, destination, identification, protocol (IPv4) and the caller's scope. They come
 * in any order. A fragment whose bytes all came before is a duplicate. Where fragments overlap, the
 * {@link OverlapPolicy} of IPv4 says whose bytes count; an IPv6 datagram with an overlap is discarded with all that still
 * comes for it (RFC 5722), exact duplicates excepted. Two last fragments that disagree, or one before the end of another, discard
 * the datagram. The same fragment again within 10 ms is a duplicate even after its datagram was completed: a mirror
 * port's copy.
 *
 * <p>A fragment captured short counts with the length that it had; the datagram then ends where the first byte is missing
 * ({@link #isShort()}), and its header tells the full length, as for any packet that was captured short.
 *
 * <p>Time is that of the packets. A datagram that is incomplete {@link FragmentLimits#timeoutNs()} after its first
 * fragment is given up; others of the same table only remove it after twice that, so that whether a datagram is completed
 * depends on its own fragments, even where a capture goes backwards a little. One thread at a time; close frees the
 * memory.
 */
public final class FragmentTable implements AutoCloseable {

    /** What became of a fragment. */
    public enum Result {
        /** It was the last one missing: {@link #datagram()} is there. */
        COMPLETE,
        /** It is kept until the others come. */
        WAITING,
        /** All of it was there already. */
        DUPLICATE,
        /** It cannot be used; {@link #count} tells why. */
        DROPPED
    }

    private final Counts<FragmentCounter> counts = new Counts<>(FragmentCounter.class);
    private final OverlapPolicy policy;
    private final boolean isReferencing;
    private final DatagramTable table;
    private final DatagramWriter writer;
    private final FragmentView fragment = new FragmentView();
    private final RecentFragments recent = new RecentFragments();
    private final int maxStretches;
    private @Nullable CompositeBuffer stretches;
    /** What the stretches tell of is the datagram, and not yet in one place. */
    private boolean isInStretches;
    /** The stretches are those of the datagram. */
    private boolean isListed;

    private MemorySegment datagram = MemorySegment.NULL;
    private long datagramOffset;
    private int datagramLength;
    private boolean isShort;
    private boolean isBeginningTold;
    private int fragmentCount;
    private long firstFrameNumber;
    private long firstTimestampNs;

    /** A table for whole datagrams only, of copies, and of what came first. */
    public FragmentTable(FragmentLimits limits) {
        this(limits, null);
    }

    /**
     * A table of copies, and of what came first, that tells beginnings as well.
     *
     * @param handler told of the beginnings of datagrams that are given up, and {@linkplain #tellBeginnings asked for}
     */
    public FragmentTable(FragmentLimits limits, @Nullable DatagramBeginningHandler handler) {
        this(limits, OverlapPolicy.FIRST, Holding.COPY, handler);
    }

    /**
     * A table that holds fragments so, and lets those bytes count where they overlap.
     *
     * @param policy for IPv4; IPv6 has none
     * @param holding whether fragments are copied or referenced until their datagram is complete
     * @param handler as above; null for none
     */
    public FragmentTable(
            FragmentLimits limits, OverlapPolicy policy, Holding holding, @Nullable DatagramBeginningHandler handler) {
        this.policy = policy;
        isReferencing = holding == Holding.REFERENCE;
        table = new DatagramTable(limits, holding, counts, handler);
        writer = new DatagramWriter(table.pool());
        maxStretches = 2 * limits.fragmentsPerDatagram() + 2;
    }

    /**
     * Takes in a packet's outermost fragment; VLANs keep equal addresses apart.
     *
     * @param walker has walked it, and told of {@linkplain PacketWalker#outermostFragment() a fragment}
     * @throws IllegalArgumentException when it has none
     */
    public Result add(PacketWalker walker, long timestampNs, long frameNumber) {
        int layer = walker.outermostFragment();
        if (layer < 0) {
            throw new IllegalArgumentException("packet " + frameNumber + " has no fragment");
        }
        return add(
                walker.segment(),
                walker.layerOffset(layer),
                walker.layerLength(layer),
                timestampNs,
                frameNumber,
                VlanView.scope(walker));
    }

    /**
     * Takes in a fragment.
     *
     * @param segment where the packet lies; native. Borrowed for the call, or by {@link Holding#REFERENCE} as long as its
     *     datagram is not complete and read; then it must not be {@link #datagram()}, which is used again
     * @param ipOffset of the first byte of its IP header
     * @param ipLength bytes captured from there on; link padding behind the packet does no harm
     * @param timestampNs of the packet
     * @param frameNumber of the packet
     * @param scope keeps apart what has the same addresses in different VLANs or tunnels
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
            return Result.DUPLICATE;
        }
        table.expire(timestampNs);
        Datagram into = table.datagramOf(fragment, scope, timestampNs, frameNumber);
        return addPart(into, segment, ipOffset, timestampNs, frameNumber);
    }

    /**
     * Where the completed datagram lies, in one piece; valid until the next call of {@link #add}. By {@link
     * Holding#REFERENCE} it is put there by the first call of this.
     */
    public MemorySegment datagram() {
        if (isInStretches && stretches != null) {
            stretches.copyTo(0, writer.buffer(), 0, datagramLength);
            isInStretches = false;
        }
        return datagram;
    }

    /**
     * The completed datagram where its parts are: its header, written anew, and the payloads of its fragments, each with
     * the number of its frame as origin. By {@link Holding#REFERENCE} nothing of them was copied. Valid until the next call
     * of {@link #add}.
     */
    public CompositeBuffer stretches() {
        CompositeBuffer buffer = stretchesMade();
        if (!isListed) {
            buffer.clear();
            buffer.append(datagram, datagramOffset, datagramLength, firstFrameNumber);
            isListed = true;
        }
        return buffer;
    }

    private CompositeBuffer stretchesMade() {
        CompositeBuffer made = stretches;
        if (made == null) {
            made = new CompositeBuffer(maxStretches);
            stretches = made;
        }
        return made;
    }

    /** Where in {@link #datagram()} its IP header begins. */
    public long datagramOffset() {
        return datagramOffset;
    }

    /** Bytes of the datagram from its IP header on; fewer than the header tells where it {@link #isShort()}. */
    public int datagramLength() {
        return datagramLength;
    }

    /** Whether bytes of the datagram are missing, as a fragment was captured short. */
    public boolean isShort() {
        return isShort;
    }

    /** Whether the beginning of the completed datagram was told before, and was of use. */
    public boolean isBeginningTold() {
        return isBeginningTold;
    }

    /**
     * Tells the beginnings of the datagrams that have waited for so long; they go on waiting. What the order of things has
     * to do with them is best told early, and hardly a fragment comes later than a few milliseconds.
     *
     * @param timestampNs the time now, that of a packet
     * @param ageNs since the first fragment; below 0, those of all
     */
    public void tellBeginnings(long timestampNs, long ageNs) {
        table.tellBeginnings(timestampNs, ageNs);
    }

    /** How many fragments the completed datagram came in, without duplicates. */
    public int fragmentCount() {
        return fragmentCount;
    }

    /** The number of the frame with the fragment of the completed datagram that was captured first. */
    public long firstFrameNumber() {
        return firstFrameNumber;
    }

    /** The time of that frame. */
    public long firstTimestampNs() {
        return firstTimestampNs;
    }

    /** What was counted so far. */
    public long count(FragmentCounter counter) {
        return counts.get(counter);
    }

    /**
     * What was counted with its place: that of the fragment; for datagrams, that of their first fragment captured. Fragments
     * and completed datagrams have no place.
     */
    public PlacedCount placed(FragmentCounter counter) {
        return counts.placed(counter);
    }

    /** Datagrams in the table, discarded ones that are remembered included. */
    public int size() {
        return table.size();
    }

    /** Bytes of memory taken for fragments: at most {@link FragmentLimits#bytes()}, and 64 KiB for the datagram. */
    public long reservedBytes() {
        return table.pool().reservedBytes();
    }

    /** Gives up what is still incomplete: the capture has ended. */
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
        isInStretches = false;
        isListed = false;
        counts.add(FragmentCounter.COMPLETED);
        isShort = fragment.payloadLength() < fragment.payloadWireLength();
        if (isShort) {
            counts.addAt(frameNumber, timestampNs, FragmentCounter.COMPLETED_SHORT);
        }
        if (fragment.version() == 4) {
            datagram = segment;
            datagramOffset = ipOffset;
            datagramLength = fragment.payloadStart() + fragment.payloadLength();
        } else {
            datagram = writer.buffer();
            datagramOffset = 0;
            if (isReferencing) {
                datagramLength = writer.listAtomic(fragment, segment, ipOffset, frameNumber, stretchesMade());
                isInStretches = true;
                isListed = true;
            } else {
                datagramLength = writer.writeAtomic(fragment, segment, ipOffset);
            }
        }
        isBeginningTold = false;
        fragmentCount = 1;
        firstFrameNumber = frameNumber;
        firstTimestampNs = timestampNs;
        return Result.COMPLETE;
    }

    private Result addPart(Datagram into, MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        if (into.discarded) {
            return drop(frameNumber, timestampNs, FragmentCounter.AFTER_DISCARD);
        }
        if (into.version != fragment.version()) {
            return drop(frameNumber, timestampNs, FragmentCounter.MALFORMED);
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

    /** A fragment of which every position is there: a duplicate if the bytes are, an overlap if they are others. */
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

    /** Whether the bytes of the fragment, as far as they are there, are those that are held for their places. */
    private boolean isHeld(Datagram into, MemorySegment segment, long ipOffset) {
        return into.payload.holds(
                fragment.fragmentOffset(), segment, ipOffset + fragment.payloadStart(), fragment.payloadLength());
    }

    /** Whether a fragment that ends here contradicts what is known of the datagram's length. */
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

    private Result complete(Datagram whole) {
        if (!FragmentView.fits(whole.version, whole.headerLength, whole.payloadLength)) {
            table.giveUp(whole, FragmentCounter.DISCARDED);
            return Result.DROPPED;
        }
        isBeginningTold = whole.beginningTold;
        fragmentCount = whole.fragments;
        firstFrameNumber = whole.firstFrameNumber;
        firstTimestampNs = whole.firstTimestampNs;
        datagramLength = isReferencing ? writer.list(whole, stretchesMade()) : writer.write(whole);
        isInStretches = isReferencing;
        isListed = isReferencing;
        datagram = writer.buffer();
        datagramOffset = 0;
        isShort = datagramLength < whole.headerLength + whole.payloadLength;
        counts.add(FragmentCounter.COMPLETED);
        if (isShort) {
            counts.addAt(whole.firstFrameNumber, whole.firstTimestampNs, FragmentCounter.COMPLETED_SHORT);
        }
        table.remove(whole);
        return Result.COMPLETE;
    }
}
