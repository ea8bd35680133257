package io.offhook.flow;

import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Puts IPv4 (RFC 791, RFC 815) and IPv6 (RFC 8200, 4.5) fragments together.
 *
 * <p>Give every packet that is a fragment to {@link #add}. When it says {@link Result#COMPLETE}, {@link #datagram()} is
 * the whole IP packet, to be walked as {@link io.offhook.packet.LinkType#RAW}: the header of the first fragment, with
 * length, fragment fields and IPv4 checksum of the whole, or without the IPv6 fragment header. A datagram that holds an
 * inner fragment may be given to {@link #add} itself.
 *
 * <p>Fragments belong together by source, destination, identification, protocol (IPv4) and the caller's scope. They come
 * in any order. A fragment whose bytes all came before is a duplicate. Where fragments overlap, IPv4 keeps for each
 * position the byte that came first; an IPv6 datagram with an overlap is discarded with all that still comes for it
 * (RFC 5722), exact duplicates excepted. Two last fragments that disagree, or one before the end of another, discard
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

    private static final int NONE = KeyTable.NONE;
    private static final int MAX_LENGTH = 65_535;

    private final FragmentLimits limits;
    private final KeyTable table;
    private final AgeList ages = new AgeList();
    private final BlockPool pool;
    private final DatagramWriter writer;
    private final FragmentView fragment = new FragmentView();
    private final RecentFragments recent = new RecentFragments();
    private final Counts<FragmentCounter> counts = new Counts<>(FragmentCounter.class);
    private Datagram[] datagrams = new Datagram[0];

    private MemorySegment datagram = MemorySegment.NULL;
    private long datagramOffset;
    private int datagramLength;
    private boolean isShort;
    private int fragmentCount;
    private long firstFrameNumber;
    private long firstTimestampNs;

    public FragmentTable(FragmentLimits limits) {
        this.limits = limits;
        table = new KeyTable(limits.datagrams());
        pool = new BlockPool(limits.bytes());
        writer = new DatagramWriter(pool);
    }

    /**
     * Takes in a fragment; its bytes are copied.
     *
     * @param segment where the packet lies; native
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
                    status == WrapStatus.TRUNCATED ? FragmentCounter.TRUNCATED : FragmentCounter.MALFORMED);
        }
        if (fragment.isWhole()) {
            return addWhole(segment, ipOffset, timestampNs, frameNumber);
        }
        if (!isPossible()) {
            return drop(FragmentCounter.MALFORMED);
        }
        if (recent.isRepeated(fragment, scope, segment, ipOffset, timestampNs)) {
            counts.add(FragmentCounter.DUPLICATES);
            return Result.DUPLICATE;
        }
        expire(timestampNs);
        return addPart(numberOf(timestampNs, frameNumber, scope), segment, ipOffset, timestampNs, frameNumber);
    }

    /** Where the completed datagram lies; valid until the next call of {@link #add}. */
    public MemorySegment datagram() {
        return datagram;
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

    public long count(FragmentCounter counter) {
        return counts.get(counter);
    }

    /** Datagrams in the table, discarded ones that are remembered included. */
    public int size() {
        return table.size();
    }

    /** Bytes of memory taken for fragments: at most {@link FragmentLimits#bytes()}, and 64 KiB for the datagram. */
    public long reservedBytes() {
        return pool.reservedBytes();
    }

    /** Gives up what is still incomplete: the capture has ended. */
    public void flush() {
        while (ages.oldest() != NONE) {
            giveUp(ages.oldest(), FragmentCounter.UNFINISHED);
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private Result drop(FragmentCounter cause) {
        counts.add(cause);
        return Result.DROPPED;
    }

    /** None is empty, all but the last carry a multiple of 8 bytes, and none ends beyond the longest datagram. */
    private boolean isPossible() {
        int length = fragment.payloadWireLength();
        if (length == 0 || fragment.hasMore() && (length & 7) != 0) {
            return false;
        }
        return wholeLength(fragment.version(), fragment.headerLength(), fragment.fragmentOffset() + length)
                <= MAX_LENGTH;
    }

    /** What the length field of the whole packet would have to hold. */
    private static int wholeLength(int version, int headerLength, int payloadLength) {
        return (version == 4 ? headerLength : headerLength - DatagramWriter.V6_HEADER) + payloadLength;
    }

    private Result addWhole(MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        counts.add(FragmentCounter.COMPLETED);
        isShort = fragment.payloadLength() < fragment.payloadWireLength();
        if (isShort) {
            counts.add(FragmentCounter.COMPLETED_SHORT);
        }
        if (fragment.version() == 4) {
            datagram = segment;
            datagramOffset = ipOffset;
            datagramLength = fragment.payloadStart() + fragment.payloadLength();
        } else {
            datagramLength = writer.writeAtomic(fragment, segment, ipOffset);
            datagram = writer.buffer();
            datagramOffset = 0;
        }
        fragmentCount = 1;
        firstFrameNumber = frameNumber;
        firstTimestampNs = timestampNs;
        return Result.COMPLETE;
    }

    /** The number of the fragment's datagram, which is begun if it is not there. */
    private int numberOf(long timestampNs, long frameNumber, int scope) {
        long a = fragment.sourceHigh();
        long b = fragment.sourceLow();
        long c = fragment.destinationHigh();
        long d = fragment.destinationLow();
        long e = (long) fragment.identification() << 32 | scope & 0xffff_ffffL;
        int hash = table.hash(a, b, c, d, e);
        int number = table.find(hash, a, b, c, d, e);
        if (number != NONE) {
            if (!PacketTime.isApart(timestampNs, datagrams[number].firstTimestampNs, limits.timeoutNs())) {
                return number;
            }
            giveUp(number, FragmentCounter.TIMED_OUT);
        } else if (table.isFull()) {
            giveUp(ages.oldest(), FragmentCounter.EVICTED);
        }
        number = table.add(hash, a, b, c, d, e);
        if (number >= datagrams.length) {
            int known = datagrams.length;
            datagrams = Arrays.copyOf(datagrams, Math.max(16, known * 2));
            for (int i = known; i < datagrams.length; i++) {
                datagrams[i] = new Datagram(pool);
            }
        }
        datagrams[number].begin(fragment.version(), timestampNs, frameNumber);
        ages.addYoungest(number);
        return number;
    }

    private Result addPart(int number, MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        Datagram into = datagrams[number];
        if (into.discarded) {
            return drop(FragmentCounter.AFTER_DISCARD);
        }
        if (into.version != fragment.version()) {
            return drop(FragmentCounter.MALFORMED);
        }
        int start = fragment.fragmentOffset();
        int end = start + fragment.payloadWireLength();
        long payload = ipOffset + fragment.payloadStart();
        if (into.payload.covers(start, end) && (into.payloadLength == end || fragment.hasMore())) {
            return addCovered(number, segment, payload, start, end);
        }
        if (contradicts(into, end) || into.version == 6 && into.payload.overlaps(start, end)) {
            discard(number, start, end);
            return Result.DROPPED;
        }
        if (into.payload.overlaps(start, end)) {
            counts.add(FragmentCounter.OVERLAPS);
        }
        if (!fragment.hasMore()) {
            into.payloadLength = end;
        }
        if (!keep(number, segment, ipOffset, timestampNs, frameNumber)) {
            giveUp(number, FragmentCounter.EVICTED);
            return Result.DROPPED;
        }
        return into.isComplete() ? complete(number) : Result.WAITING;
    }

    /** A fragment of which every position is there: a duplicate if the bytes are, an overlap if they are others. */
    private Result addCovered(int number, MemorySegment segment, long payload, int start, int end) {
        Datagram into = datagrams[number];
        boolean same = into.payload.holds(start, segment, payload, fragment.payloadLength());
        if (into.version == 6 && !(same && into.payload.isOneInsertion(start, end))) {
            discard(number, start, end);
            return Result.DROPPED;
        }
        counts.add(same ? FragmentCounter.DUPLICATES : FragmentCounter.OVERLAPS);
        return Result.DUPLICATE;
    }

    private boolean contradicts(Datagram into, int end) {
        if (into.payloadLength != Datagram.UNKNOWN) {
            return end > into.payloadLength || !fragment.hasMore() && end != into.payloadLength;
        }
        return !fragment.hasMore() && !into.payload.isEmpty() && into.payload.lastEnd() > end;
    }

    private void discard(int number, int start, int end) {
        Datagram datagram = datagrams[number];
        if (datagram.payload.overlaps(start, end)) {
            counts.add(FragmentCounter.OVERLAPS);
        }
        if (datagram.version == 4) {
            giveUp(number, FragmentCounter.DISCARDED);
            return;
        }
        counts.add(FragmentCounter.DISCARDED);
        empty(datagram);
        datagram.discarded = true;
    }

    /** Copies the fragment's payload, and its header if it is the first. False if limits do not allow it. */
    private boolean keep(int number, MemorySegment segment, long ipOffset, long timestampNs, long frameNumber) {
        Datagram into = datagrams[number];
        int captured = fragment.payloadLength();
        // one block for the header, one for what is absent
        if (++into.fragments > limits.fragmentsPerDatagram()
                || !makeRoom(number, BlockPool.blocksFor(captured) + 2)) {
            return false;
        }
        if (fragment.fragmentOffset() == 0 && into.headerBlock == BlockPool.NONE) {
            into.headerBlock = pool.take();
            into.headerLength = fragment.headerLength();
            into.nextHeaderField = fragment.nextHeaderField();
            into.nextHeader = fragment.nextHeader();
            MemorySegment.copy(
                    segment,
                    ipOffset,
                    pool.segment(into.headerBlock),
                    pool.offset(into.headerBlock),
                    into.headerLength);
        }
        int start = fragment.fragmentOffset();
        int missing = fragment.payloadWireLength() - captured;
        return into.payload.insert(
                                start, segment, ipOffset + fragment.payloadStart(), captured, timestampNs, frameNumber)
                        == 0
                && (missing == 0 || into.payload.insertAbsent(start + captured, missing, timestampNs, frameNumber));
    }

    private boolean makeRoom(int number, int blocks) {
        while (pool.available() < blocks) {
            int oldest = ages.oldest() == number ? ages.younger(number) : ages.oldest();
            if (oldest == NONE) {
                return false;
            }
            giveUp(oldest, FragmentCounter.EVICTED);
        }
        return true;
    }

    private Result complete(int number) {
        Datagram whole = datagrams[number];
        if (wholeLength(whole.version, whole.headerLength, whole.payloadLength) > MAX_LENGTH) {
            giveUp(number, FragmentCounter.DISCARDED);
            return Result.DROPPED;
        }
        fragmentCount = whole.fragments;
        firstFrameNumber = whole.firstFrameNumber;
        firstTimestampNs = whole.firstTimestampNs;
        datagramLength = writer.write(whole);
        datagram = writer.buffer();
        datagramOffset = 0;
        isShort = datagramLength < whole.headerLength + whole.payloadLength;
        counts.add(FragmentCounter.COMPLETED);
        if (isShort) {
            counts.add(FragmentCounter.COMPLETED_SHORT);
        }
        remove(number);
        return Result.COMPLETE;
    }

    private void expire(long timestampNs) {
        long limitNs = PacketTime.twice(limits.timeoutNs());
        int oldest = ages.oldest();
        while (oldest != NONE && PacketTime.isApart(timestampNs, datagrams[oldest].firstTimestampNs, limitNs)) {
            giveUp(oldest, FragmentCounter.TIMED_OUT);
            oldest = ages.oldest();
        }
    }

    private void giveUp(int number, FragmentCounter cause) {
        // a discarded one was counted when it was
        if (!datagrams[number].discarded) {
            counts.add(cause);
        }
        remove(number);
    }

    private void remove(int number) {
        empty(datagrams[number]);
        ages.remove(number);
        table.remove(number);
    }

    private void empty(Datagram datagram) {
        datagram.payload.clear();
        if (datagram.headerBlock != BlockPool.NONE) {
            pool.release(datagram.headerBlock);
            datagram.headerBlock = BlockPool.NONE;
        }
    }
}
