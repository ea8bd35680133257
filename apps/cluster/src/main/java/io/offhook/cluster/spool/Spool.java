package io.offhook.cluster.spool;

import io.offhook.cluster.event.EventRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A queue of events in files, which survives that the process is killed, but not that the machine loses power: nothing waits for
 * the disk. Events are appended, read in the same order, and leave when they are acknowledged. At its limit the oldest segment
 * is deleted; if the disk does not take an event, that one is lost. Both are {@linkplain #losses() losses}, which are kept, too,
 * until an {@linkplain #announce announcement} of them has arrived. An event that was read when its segment was deleted is such a
 * loss, too, although it may arrive.
 *
 * <p>One thread appends, one reads, any acknowledge. Only opening throws for what the disk does.
 */
public final class Spool implements AutoCloseable {
    private final SpoolConfig config;
    private final SpoolLock lock;
    private final SpoolState state;
    private final LossLedger losses;
    /** By the position of their first event. */
    private final NavigableMap<Long, Segment> segments = new TreeMap<>();

    private final Outstanding outstanding;
    /** The position of the next event that is appended; the first one ever has 1. */
    private long nextPosition;

    private long octets;

    private @Nullable SegmentReader reader;
    private @Nullable Segment read;
    private long readPosition;
    /** What was read to know its time only. */
    private @Nullable SpooledEvent ahead;

    private long kept;
    private long acknowledged;
    private long refused;
    private long evicted;
    private long tornOctets;
    private long unreadable;
    private long unwritten;

    /**
     * An event that was read.
     *
     * @param position its place in the spool, by which it is acknowledged
     * @param event as it was appended
     */
    public record Entry(long position, SpooledEvent event) {}

    private Spool(SpoolConfig config, SpoolLock lock, SpoolState state) throws IOException {
        this.config = config;
        this.lock = lock;
        this.state = state;
        losses = new LossLedger(state);
        takeOver();
        Segment first = segments.isEmpty() ? null : segments.firstEntry().getValue();
        long acknowledgedTo = Math.max(state.acknowledged(), first == null ? 1 : first.firstPosition());
        outstanding = new Outstanding(acknowledgedTo);
        nextPosition = Math.max(acknowledgedTo, nextPosition);
        deleteAcknowledged();
        rewind();
    }

    /**
     * Opens a spool, and takes over what an earlier process has left in it.
     *
     * @throws IOException if the folder cannot be used, or another process has it
     */
    public static Spool open(SpoolConfig config) throws IOException {
        SpoolLock lock = SpoolLock.of(config.folder());
        try {
            SpoolState state = SpoolState.open(config.folder().resolve("state"));
            try {
                return new Spool(config, lock, state);
            } catch (IOException | RuntimeException e) {
                state.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private void takeOver() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(config.folder())) {
            files = all.filter(file -> Segment.position(file) > 0).sorted().toList();
        }
        for (Path file : files) {
            Segment segment = Segment.existing(file);
            if (segment.hasHead()) {
                segments.put(segment.firstPosition(), segment);
                octets += segment.end();
            } else {
                tornOctets += segment.end();
                segment.delete();
            }
        }
        if (!segments.isEmpty()) {
            nextPosition = cutTail(segments.lastEntry().getValue());
        }
    }

    /** @return the position behind the last event */
    private long cutTail(Segment last) throws IOException {
        long position = last.firstPosition();
        try (SegmentReader tail = new SegmentReader(last.file())) {
            while (tail.next(last.end()) != null) {
                position++;
            }
            long torn = last.end() - tail.offset();
            if (torn > 0) {
                tornOctets += torn;
                octets -= torn;
                last.cut(tail.offset());
            }
        }
        return position;
    }

    /** Takes an event, which can be read at once. One that the disk does not take is lost. */
    public synchronized SpoolStatus append(SpooledEvent event) {
        SpoolStatus status = offer(event);
        if (status == SpoolStatus.REFUSED) {
            refused++;
            losses.add(LossList.of(SpoolLoss.Cause.DISK, event));
        }
        return status;
    }

    /** Takes an event, which can be read at once. One that the disk does not take is not lost: it will be offered again. */
    public synchronized SpoolStatus offer(SpooledEvent event) {
        Segment to = segment(event);
        long before = to == null ? 0 : to.end();
        if (to == null || !to.append(event)) {
            return SpoolStatus.REFUSED;
        }
        octets += to.end() - before;
        nextPosition++;
        kept++;
        return SpoolStatus.KEPT;
    }

    /** The segment that an event goes to; null if the disk takes no new one. */
    private @Nullable Segment segment(SpooledEvent event) {
        int size = EventRecord.HEAD + event.octets().size();
        Segment last = segments.isEmpty() ? null : segments.lastEntry().getValue();
        boolean isNew = last == null
                || last.isSealed()
                || (last.end() + size > config.segmentOctets() && last.firstPosition() < nextPosition);
        makeRoom(isNew ? size + Segment.HEAD : size);
        if (!isNew) {
            return last;
        }
        if (last != null) {
            last.seal();
            if (last.firstPosition() == nextPosition) {
                // the new one has its name
                octets -= last.end();
                segments.remove(nextPosition);
                closeReaderOf(last);
            }
        }
        try {
            Segment created = Segment.create(config.folder(), nextPosition);
            segments.put(nextPosition, created);
            octets += created.end();
            deleteAcknowledged();
            return created;
        } catch (IOException e) {
            return null;
        }
    }

    private void makeRoom(long size) {
        while (octets + size > config.maxOctets() && segments.size() > 1) {
            evict();
        }
    }

    /** Gives up the oldest segment: what of it was not acknowledged is lost, which is written before it is deleted. */
    private void evict() {
        Segment oldest = segments.firstEntry().getValue();
        long end = positionBehind(oldest);
        LossList lost = unacknowledged(oldest, end);
        evicted += lost.count(SpoolLoss.Cause.LIMIT);
        losses.add(lost);
        losses.lostBefore(end);
        outstanding.doneBefore(end);
        deleteAcknowledged();
        writeAcknowledged();
    }

    private long positionBehind(Segment segment) {
        Long next = segments.higherKey(segment.firstPosition());
        return next == null ? nextPosition : next;
    }

    /** What of a segment is lost if it is given up. */
    private LossList unacknowledged(Segment segment, long end) {
        LossList ranges = segment.ranges();
        if (ranges != null && outstanding.hasAllFrom(segment.firstPosition())) {
            return ranges;
        }
        LossList lost = new LossList();
        long position = segment.firstPosition();
        try (SegmentReader in = new SegmentReader(segment.file())) {
            for (SpooledEvent event = in.next(segment.end()); event != null; event = in.next(segment.end())) {
                if (outstanding.has(position)) {
                    lost.add(LossList.of(SpoolLoss.Cause.LIMIT, event));
                }
                position++;
            }
        } catch (IOException e) {
            // what could not be read is counted below
        }
        long count = outstanding.count(position, end);
        if (count > 0) {
            lost.add(unreadable(count));
        }
        return lost;
    }

    private SpoolLoss unreadable(long count) {
        unreadable += count;
        return new SpoolLoss(SpoolLoss.Cause.UNREADABLE, EventRange.NONE, count, 0, 0);
    }

    /**
     * Reads the next events, in the order in which they were appended; those of earlier processes come first. Each is read once,
     * unless {@link #rewind} is called.
     *
     * @param mostEvents how many at most
     * @param mostOctets of all of them together; one that is longer comes alone
     * @return none if there are no more at the moment
     */
    public synchronized List<Entry> read(int mostEvents, int mostOctets) {
        List<Entry> entries = new ArrayList<>();
        long size = 0;
        while (entries.size() < mostEvents) {
            SpooledEvent event = peek();
            if (event == null || (!entries.isEmpty() && size + event.octets().size() > mostOctets)) {
                break;
            }
            size += event.octets().size();
            ahead = null;
            if (outstanding.has(readPosition)) {
                entries.add(new Entry(readPosition, event));
                outstanding.read(readPosition, event.atNs());
            }
            readPosition++;
        }
        return entries;
    }

    private @Nullable SpooledEvent peek() {
        while (ahead == null && readPosition < nextPosition) {
            Map.Entry<Long, Segment> from = segments.floorEntry(readPosition);
            if (from == null) {
                return null;
            }
            ahead = readNext(from.getValue());
            if (ahead == null) {
                passOver(positionBehind(from.getValue()));
            }
        }
        return ahead;
    }

    /** Where an event cannot be read, nor can those behind it in its segment: nobody knows where they begin. */
    private void passOver(long end) {
        long first = readPosition;
        long count = outstanding.count(first, end);
        if (count > 0) {
            losses.add(unreadable(count));
        }
        for (long position = first; position < end; position++) {
            losses.lost(position);
        }
        readPosition = end;
        closeReader();
        done(first, end);
    }

    /** Reads the event at the position to be read; null if it cannot be. */
    private @Nullable SpooledEvent readNext(Segment from) {
        try {
            SegmentReader in = reader;
            if (in == null || from != read) {
                closeReader();
                in = new SegmentReader(from.file());
                reader = in;
                read = from;
                for (long position = from.firstPosition(); position < readPosition; position++) {
                    if (in.next(from.end()) == null) {
                        return null;
                    }
                }
            }
            return in.next(from.end());
        } catch (IOException e) {
            return null;
        }
    }

    private void closeReaderOf(Segment segment) {
        if (segment == read) {
            closeReader();
        }
    }

    private void closeReader() {
        SegmentReader open = reader;
        reader = null;
        read = null;
        ahead = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // it was only read
            }
        }
    }

    /** Reading begins again at the first event that is not acknowledged, as after a failure to send. */
    public synchronized void rewind() {
        closeReader();
        outstanding.rewind();
        readPosition = outstanding.from();
    }

    /** An event that was read has arrived. */
    public synchronized void acknowledge(long position) {
        if (position < nextPosition && outstanding.has(position)) {
            acknowledged++;
            losses.arrived(position);
            done(position, position + 1);
        }
    }

    /** An event that was read will never arrive: it is a loss. */
    public synchronized void giveUp(Entry entry, SpoolLoss.Cause cause) {
        long position = entry.position();
        if (outstanding.has(position)) {
            losses.add(LossList.of(cause, entry.event()));
            losses.lost(position);
            done(position, position + 1);
        }
    }

    private void done(long first, long until) {
        if (outstanding.done(first, until)) {
            writeAcknowledged();
            deleteAcknowledged();
        }
    }

    private void deleteAcknowledged() {
        if (readPosition < outstanding.from()) {
            readPosition = outstanding.from();
            closeReader();
        }
        while (segments.size() > 1 && positionBehind(segments.firstEntry().getValue()) <= outstanding.from()) {
            Segment done = segments.pollFirstEntry().getValue();
            octets -= done.end();
            closeReaderOf(done);
            done.delete();
        }
    }

    /** If the disk does not take it, a restart repeats more. The next one is written anyway. */
    private void writeAcknowledged() {
        try {
            state.acknowledged(outstanding.from());
        } catch (IOException e) {
            unwritten++;
        }
    }

    /** What is lost, also by earlier processes, and is not known to have been announced; at most twice {@value LossList#MOST}. */
    public synchronized List<SpoolLoss> losses() {
        return losses.all();
    }

    /** What of the losses is to be announced now: nothing while earlier announcements are under way. */
    public synchronized List<SpoolLoss> toAnnounce() {
        return losses.toAnnounce();
    }

    /**
     * Offers an event that announces a loss. When it is acknowledged, the loss is done with; if the event is lost itself, or this
     * process ends before, the loss is to be announced again.
     *
     * @param loss one of {@link #toAnnounce}
     */
    public synchronized SpoolStatus announce(SpoolLoss loss, SpooledEvent announcement) {
        SpoolStatus status = offer(announcement);
        if (status == SpoolStatus.KEPT) {
            losses.announced(loss, nextPosition - 1);
        }
        return status;
    }

    /** What it holds, and what it did. */
    public synchronized SpoolCounts counts() {
        return new SpoolCounts(
                outstanding.countBefore(nextPosition),
                octets,
                oldestNs(),
                kept,
                acknowledged,
                refused,
                evicted,
                tornOctets,
                unreadable,
                unwritten + losses.unwritten());
    }

    private OptionalLong oldestNs() {
        OptionalLong read = outstanding.oldestNs();
        if (read.isPresent()) {
            return read;
        }
        SpooledEvent next = peek();
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.atNs());
    }

    /** Lets another process have it; what is not acknowledged stays. */
    @Override
    public synchronized void close() throws IOException {
        closeReader();
        segments.values().forEach(Segment::seal);
        state.close();
        lock.close();
    }
}
