package io.offhook.calls;

import io.offhook.calls.figures.CapturedStream;
import io.offhook.calls.figures.FiguresSink;
import io.offhook.packet.PlacedCount;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.WiresharkStream;
import io.offhook.rtp.figures.SampleFigures;
import io.offhook.rtp.figures.StreamFigures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The RTP streams of one shard: receives packets in the order of capture and keeps the statistics of each stream.
 *
 * <p>Streams that look like RTP are followed before any SDP announces them, as their SDP may arrive later. The number
 * of these candidates is limited; the ones silent longest, with the fewest packets, are evicted. Streams of calls that
 * are no longer kept are removed some time after their calls; if there are too many even so, new ones are refused.
 * Single-threaded; the {@link MediaBindings} must not change while it runs.
 */
public final class StreamTable {
    /** The number of packets from which a candidate is likely a stream, and outlives those with fewer. */
    private static final int LIKELY_PACKETS = 4;

    /**
     * Streams are swept for those of removed calls once as many calls were removed as there were streams after the last
     * sweep, and no fewer than this: a step or two per call, however many streams there are.
     */
    private static final int LEAST_FORGOTTEN = 64;

    private static final int FIRST_SLOTS = 64;
    private static final int KEY_WIDTH = 4;

    /** Packets that are sampled, for each stream that there may be: a sample for one of 32. */
    private static final int SAMPLED = 8;

    private final MediaBindings bindings;
    private final MediaOptions media;
    private final PacketLog.Room logRoom;
    private final PacketLog.Room sampleRoom;
    /** Whether each packet is wanted by more than the statistics. */
    private final boolean isObserved;

    private final int maxCandidates;
    private final int maxStreams;
    /**
     * A row a slot: hash, addresses, ports and SSRC, 1 if it is IPv6. What nearly all packets need is here and in
     * {@link #statistics}: thousands of streams take turns, and each object that is touched a packet has left the cache.
     */
    private long[] keys = new long[FIRST_SLOTS * KEY_WIDTH];

    private @Nullable RtpStream[] statistics = new RtpStream[FIRST_SLOTS];
    private @Nullable MediaStream[] streams = new MediaStream[FIRST_SLOTS];
    private long captureStartNs;
    private int count;
    private int candidates;
    private final List<MediaStream> ended = new ArrayList<>();
    private final PlacedCount evictedCandidates = new PlacedCount();
    private final PlacedCount evictedPackets = new PlacedCount();
    private final PlacedCount refusedPackets = new PlacedCount();
    private final PlacedCount evictedStreams = new PlacedCount();
    private final PlacedCount failedPackets = new PlacedCount();
    private @Nullable RuntimeException defect;

    private long forgottenAtSweep;
    private int sizeAtSweep;

    /**
     * Creates an empty table.
     *
     * @param media what is computed of a stream
     * @param maxCandidates the most streams that no SDP has announced
     * @param maxStreams the most streams, including candidates
     * @param logRoom for logs of packets, where they are asked for
     */
    StreamTable(MediaBindings bindings, MediaOptions media, int maxCandidates, int maxStreams, PacketLog.Room logRoom) {
        this.logRoom = logRoom;
        isObserved = media.wireshark() || media.passages();
        this.bindings = bindings;
        this.media = media;
        this.maxCandidates = maxCandidates;
        this.maxStreams = maxStreams;
        sampleRoom = new PacketLog.Room((long) SAMPLED * maxStreams);
    }

    /**
     * Processes packets. The rows may be cleared afterwards. A packet at which this fails, because of a bug in this
     * library, is counted and skipped.
     */
    public void accept(RtpRows rows) {
        int end = rows.end();
        int row = 0;
        while (row < end) {
            try {
                for (; row < end; row += RtpRows.WIDTH) {
                    accept(rows, row);
                }
            } catch (RuntimeException e) {
                failedPackets.add(rows.frame(row), rows.arrivalNs(row));
                defect = defect == null ? e : defect;
                row += RtpRows.WIDTH;
            }
        }
    }

    private void accept(RtpRows rows, int row) {
        int slot = slotOf(rows, row);
        RtpStream known = statistics[slot];
        if (known != null && !isObserved && known.packetInTurn(rows, row)) {
            return;
        }
        MediaStream stream = streams[slot];
        if (stream == null || stream.pausedBefore(rows.arrivalNs(row)) || stream.jumpsTo(rows.sequenceNumber(row))) {
            stream = begin(rows, row, stream);
            if (stream == null) {
                return;
            }
        }
        stream.packet(rows, row, bindings);
    }

    /** The slot of the stream that a packet belongs to, or the empty one where it would be. */
    private int slotOf(RtpRows rows, int row) {
        long hash = rows.hash(row);
        long portsSsrc = rows.portsSsrc(row);
        int mask = statistics.length - 1;
        int slot = (int) hash & mask;
        while (statistics[slot] != null) {
            int key = slot * KEY_WIDTH;
            if (keys[key] == hash && keys[key + 2] == portsSsrc && isBetween(slot, rows, row)) {
                break;
            }
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean isBetween(int slot, RtpRows rows, int row) {
        int key = slot * KEY_WIDTH;
        boolean isIpv6 = rows.isIpv6(row);
        if (keys[key + 3] != (isIpv6 ? 1 : 0)) {
            return false;
        }
        MediaStream stream = isIpv6 ? streams[slot] : null;
        return stream == null ? keys[key + 1] == rows.addresses(row) : stream.matchesWide(rows, row);
    }

    /** Begins a stream; after a pause, the known one continues unless another call receives it now. */
    private @Nullable MediaStream begin(RtpRows rows, int row, @Nullable MediaStream known) {
        long arrivalNs = rows.arrivalNs(row);
        if (known != null) {
            if (media.wireshark() || !known.endsBefore(arrivalNs, rows.frame(row), bindings)) {
                return known;
            }
            if (isFull(rows.frame(row))) {
                return refuse(rows, row);
            }
            MediaStream next = new MediaStream(rows, row, newStatistics(), wireshark(), log(), sampleRoom);
            next.bind(arrivalNs, rows.frame(row), bindings);
            replace(known, next);
            return next;
        }
        if (isFull(rows.frame(row))) {
            return refuse(rows, row);
        }
        MediaStream stream = new MediaStream(rows, row, newStatistics(), wireshark(), log(), sampleRoom);
        stream.bind(arrivalNs, rows.frame(row), bindings);
        if (stream.owner() == null && ++candidates > maxCandidates) {
            evictCandidates(rows.frame(row));
        }
        insert(stream);
        return stream;
    }

    /**
     * Adds a stream that was counted elsewhere, in the place of what was added of it before. Its packets must not be among
     * those that {@link #accept} is given.
     *
     * @param figures of all its packets so far
     * @param sample of its packets; or null
     * @return false if there is no room; its packets are then counted as refused
     * @throws IllegalArgumentException if the figures are those of no stream
     */
    boolean add(CapturedStream captured, StreamFigures figures, @Nullable SampleFigures sample) {
        MediaStream stream =
                new MediaStream(captured, RtpStream.of(figures), sample == null ? null : PacketLog.of(sample));
        int slot = slotOf(stream);
        MediaStream known = streams[slot];
        if (known != null && known.firstFrame() == stream.firstFrame()) {
            set(slot, stream);
            return true;
        }
        if (known != null && known.firstFrame() > stream.firstFrame() && replaceEnded(stream)) {
            return true;
        }
        if (isFull(stream.firstFrame())) {
            long firstNs = stream.statistics().firstNs();
            refusedPackets.add(stream.statistics().packets(), stream.firstFrame(), firstNs);
            return false;
        }
        if (known == null) {
            insert(stream);
        } else if (known.firstFrame() < stream.firstFrame()) {
            replace(known, stream);
        } else {
            ended.add(stream);
        }
        return true;
    }

    private int slotOf(MediaStream stream) {
        int mask = streams.length - 1;
        int slot = (int) stream.hash() & mask;
        while (streams[slot] != null && !stream.hasKeyOf(streams[slot])) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void set(int slot, MediaStream stream) {
        streams[slot] = stream;
        statistics[slot] = stream.statistics();
    }

    private boolean replaceEnded(MediaStream stream) {
        for (int i = 0; i < ended.size(); i++) {
            MediaStream known = ended.get(i);
            if (known.firstFrame() == stream.firstFrame() && known.hasKeyOf(stream)) {
                ended.set(i, stream);
                return true;
            }
        }
        return false;
    }

    /** Passes on the figures of the streams of which they are due. */
    void figures(long nowNs, FiguresSink sink) {
        for (MediaStream stream : ended) {
            stream.figures(nowNs, sink);
        }
        for (MediaStream stream : streams) {
            if (stream != null) {
                stream.figures(nowNs, sink);
            }
        }
    }

    private boolean isFull(long frame) {
        long forgotten = bindings.removedCalls(frame) - forgottenAtSweep;
        if (forgotten >= Math.max(LEAST_FORGOTTEN, sizeAtSweep) || forgotten > 0 && size() >= maxStreams) {
            sweep(frame);
        }
        return size() >= maxStreams;
    }

    private int size() {
        return count + ended.size();
    }

    /** Removes the streams of calls that are no longer kept at a frame. */
    private void sweep(long frame) {
        forgottenAtSweep = bindings.removedCalls(frame);
        Set<MediaStream> orphans = Collections.newSetFromMap(new IdentityHashMap<>());
        for (MediaStream stream : streams()) {
            MediaBinding owner = stream.owner();
            if (owner != null && owner.call().media().isRemovedBefore(frame)) {
                evictedStreams.add(stream.firstFrame(), stream.statistics().firstNs());
                orphans.add(stream);
                stream.release();
            }
        }
        ended.removeIf(orphans::contains);
        rebuild(streams.length, orphans);
        sizeAtSweep = size();
    }

    /** Replaces a stream, which may just have been evicted, by another one with the same key. */
    private void replace(MediaStream known, MediaStream next) {
        int mask = streams.length - 1;
        int slot = (int) known.hash() & mask;
        while (streams[slot] != null && streams[slot] != known) {
            slot = slot + 1 & mask;
        }
        if (streams[slot] == known) {
            ended.add(known);
            set(slot, next);
        } else {
            insert(next);
        }
    }

    private @Nullable MediaStream refuse(RtpRows rows, int row) {
        refusedPackets.add(rows.frame(row), rows.arrivalNs(row));
        return null;
    }

    /** Evicts the less likely half of the candidates, and recounts them: some have found their calls since. */
    private void evictCandidates(long frame) {
        List<MediaStream> unbound = new ArrayList<>();
        for (MediaStream stream : streams) {
            if (stream != null && !stream.isByFigures() && stream.owner() == null) {
                stream.bind(stream.lastArrivalNs(), frame, bindings);
                if (stream.owner() == null) {
                    unbound.add(stream);
                }
            }
        }
        int surplus = unbound.size() - maxCandidates / 2;
        candidates = unbound.size() + 1;
        if (surplus <= 0) {
            return;
        }
        unbound.sort(Comparator.<MediaStream>comparingLong(
                        s -> Math.min(s.statistics().packets(), LIKELY_PACKETS))
                .thenComparingLong(MediaStream::lastArrivalNs)
                .thenComparingLong(MediaStream::firstFrame));
        Set<MediaStream> leaving = Collections.newSetFromMap(new IdentityHashMap<>());
        leaving.addAll(unbound.subList(0, surplus));
        for (MediaStream stream : leaving) {
            long firstNs = stream.statistics().firstNs();
            evictedPackets.add(stream.statistics().packets(), stream.firstFrame(), firstNs);
            evictedCandidates.add(stream.firstFrame(), firstNs);
            stream.release();
        }
        candidates -= surplus;
        rebuild(streams.length, leaving);
    }

    /** Rebuilds the table without some streams. */
    private void rebuild(int capacity, Set<MediaStream> leaving) {
        @Nullable MediaStream[] old = streams;
        streams = new MediaStream[capacity];
        statistics = new RtpStream[capacity];
        keys = new long[capacity * KEY_WIDTH];
        count = 0;
        for (MediaStream stream : old) {
            if (stream != null && !leaving.contains(stream)) {
                place(stream);
            }
        }
    }

    private void insert(MediaStream stream) {
        if (count * 2 >= streams.length) {
            rebuild(streams.length * 2, Set.of());
        }
        place(stream);
    }

    private void place(MediaStream stream) {
        int mask = streams.length - 1;
        int slot = (int) stream.hash() & mask;
        while (streams[slot] != null) {
            slot = slot + 1 & mask;
        }
        streams[slot] = stream;
        statistics[slot] = stream.statistics();
        int key = slot * KEY_WIDTH;
        keys[key] = stream.hash();
        keys[key + 1] = stream.addresses();
        keys[key + 2] = stream.portsSsrc();
        keys[key + 3] = stream.isIpv6() ? 1 : 0;
        count++;
    }

    private RtpStream newStatistics() {
        return new RtpStream(media.buffer(), media.intervals());
    }

    private @Nullable PacketLog log() {
        return media.passages() ? new PacketLog(logRoom) : null;
    }

    private @Nullable WiresharkStream wireshark() {
        return media.wireshark() ? new WiresharkStream(captureStartNs) : null;
    }

    /**
     * Sets the time of the capture's first packet, which Wireshark's figures refer to, before any packet is processed.
     */
    void captureStart(long captureStartNs) {
        this.captureStartNs = captureStartNs;
    }

    /** All streams, in the order of their first frames. */
    List<MediaStream> streams() {
        List<MediaStream> all = new ArrayList<>(ended);
        for (MediaStream stream : streams) {
            if (stream != null) {
                all.add(stream);
            }
        }
        all.forEach(stream -> stream.findOwner(bindings));
        all.sort((a, b) -> Long.compare(a.firstFrame(), b.firstFrame()));
        return all;
    }

    /** Streams that looked like RTP, were not announced by SDP, and were evicted; the place is where they began. */
    public PlacedCount evictedCandidates() {
        return evictedCandidates;
    }

    /** Packets of the evicted candidates. */
    public PlacedCount evictedPackets() {
        return evictedPackets;
    }

    /** Streams that were removed after their calls; the place is where they began. */
    public PlacedCount evictedStreams() {
        return evictedStreams;
    }

    /** Packets that were skipped because this failed at them. */
    public PlacedCount failedPackets() {
        return failedPackets;
    }

    /** The first exception among these failures; null if there was none. */
    public @Nullable RuntimeException defect() {
        return defect;
    }

    /** Packets of streams that were refused for lack of room. */
    public PlacedCount refusedPackets() {
        return refusedPackets;
    }
}
