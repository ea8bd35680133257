package io.offhook.cluster.spool;

import io.offhook.cluster.event.EventRange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
    /** Those of this process: whoever opens a file once more and closes it gives up the lock of the whole process (fcntl(2)). */
    private static final Set<Path> USED = ConcurrentHashMap.newKeySet();

    private final SpoolConfig config;
    private final Path folder;
    private final FileChannel lockFile;
    private final SpoolState state;
    /** Losses to be announced. */
    private final LossList losses = new LossList();
    /** Those that are announced, by the position of the event that does so. */
    private final Map<Long, SpoolLoss> announced = new TreeMap<>();

    private final Deque<Segment> segments = new ArrayDeque<>();
    private long octets;

    /** The position of the next event that is appended; the first one ever has 1. */
    private long nextPosition;
    /** All before this position are acknowledged or lost. */
    private long acknowledgedTo;
    /** Those behind it that are acknowledged. */
    private final Set<Long> acknowledgedAhead = new HashSet<>();
    /** Those that were read and are not acknowledged, in order. */
    private final Deque<InFlight> inFlight = new ArrayDeque<>();

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

    private record InFlight(long position, long atNs) {}

    /**
     * An event that was read.
     *
     * @param position its place in the spool, by which it is acknowledged
     * @param event as it was appended
     */
    public record Entry(long position, SpooledEvent event) {}

    private Spool(SpoolConfig config, Path folder, FileChannel lockFile, SpoolState state) throws IOException {
        this.config = config;
        this.folder = folder;
        this.lockFile = lockFile;
        this.state = state;
        state.losses().forEach(losses::add);
        acknowledgedTo = Math.max(1, state.acknowledged());
        nextPosition = acknowledgedTo;
    }

    /**
     * Opens a spool, and takes over what an earlier process has left in it.
     *
     * @throws IOException if the folder cannot be used, or another process has it
     */
    public static Spool open(SpoolConfig config) throws IOException {
        Files.createDirectories(config.folder());
        Path folder = config.folder().toRealPath();
        if (!USED.add(folder)) {
            throw inUse(config.folder());
        }
        try {
            return open(config, folder);
        } catch (IOException | RuntimeException e) {
            USED.remove(folder);
            throw e;
        }
    }

    private static Spool open(SpoolConfig config, Path folder) throws IOException {
        FileChannel lockFile = lock(config.folder());
        try {
            SpoolState state = SpoolState.open(config.folder().resolve("state"));
            try {
                Spool spool = new Spool(config, folder, lockFile, state);
                spool.takeOver();
                return spool;
            } catch (IOException | RuntimeException e) {
                state.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw inUse(folder);
        }
        return channel;
    }

    private static IOException inUse(Path folder) {
        return new IOException(
                "the spool " + folder + " is used by another probe; stop it, or give this one a folder of its own");
    }

    private void takeOver() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(config.folder())) {
            files = all.filter(file -> Segment.position(file) > 0).sorted().toList();
        }
        for (Path file : files) {
            Segment segment = Segment.existing(file);
            if (segment.hasHead()) {
                segments.add(segment);
                octets += segment.end();
            } else {
                tornOctets += segment.end();
                segment.delete();
            }
        }
        if (!segments.isEmpty()) {
            acknowledgedTo = Math.max(acknowledgedTo, segments.getFirst().firstPosition());
            nextPosition = Math.max(nextPosition, cutTail(segments.getLast()));
        }
        deleteAcknowledged();
        rewind();
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
            writeLosses();
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
        Segment last = segments.peekLast();
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
                segments.removeLast();
                closeReaderOf(last);
            }
        }
        try {
            Segment created = Segment.create(config.folder(), nextPosition);
            segments.add(created);
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
        Segment oldest = segments.removeFirst();
        long end = positionBehind(oldest);
        LossList lost = unacknowledged(oldest, end);
        evicted += lost.count(SpoolLoss.Cause.LIMIT);
        losses.addAll(lost);
        takeBackAnnouncements(end);
        skipTo(end);
        writeLosses();
        writeAcknowledged();
        octets -= oldest.end();
        closeReaderOf(oldest);
        oldest.delete();
    }

    /** What was announced by events before a position, which are lost themselves, has to be announced again. */
    private void takeBackAnnouncements(long end) {
        announced.forEach((position, loss) -> {
            if (position < end) {
                losses.add(loss);
            }
        });
        announced.keySet().removeIf(position -> position < end);
    }

    private long positionBehind(Segment segment) {
        for (Segment other : segments) {
            if (other.firstPosition() > segment.firstPosition()) {
                return other.firstPosition();
            }
        }
        return nextPosition;
    }

    /** What of a segment is lost if it is given up. */
    private LossList unacknowledged(Segment segment, long end) {
        LossList ranges = segment.ranges();
        if (ranges != null && acknowledgedTo <= segment.firstPosition() && acknowledgedAhead.isEmpty()) {
            return ranges;
        }
        LossList lost = new LossList();
        long position = segment.firstPosition();
        try (SegmentReader in = new SegmentReader(segment.file())) {
            for (SpooledEvent event = in.next(segment.end()); event != null; event = in.next(segment.end())) {
                if (isOutstanding(position)) {
                    lost.add(LossList.of(SpoolLoss.Cause.LIMIT, event));
                }
                position++;
            }
        } catch (IOException e) {
            // what could not be read is counted below
        }
        addUnreadable(lost, position, end);
        return lost;
    }

    private boolean isOutstanding(long position) {
        return position >= acknowledgedTo && !acknowledgedAhead.contains(position);
    }

    private void addUnreadable(LossList lost, long from, long until) {
        long count = 0;
        for (long position = Math.max(from, acknowledgedTo); position < until; position++) {
            count += isOutstanding(position) ? 1 : 0;
        }
        if (count > 0) {
            unreadable += count;
            lost.add(new SpoolLoss(SpoolLoss.Cause.UNREADABLE, EventRange.NONE, count, 0, 0));
        }
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
            if (isOutstanding(readPosition)) {
                entries.add(new Entry(readPosition, event));
                inFlight.add(new InFlight(readPosition, event.atNs()));
            }
            readPosition++;
        }
        return entries;
    }

    private @Nullable SpooledEvent peek() {
        while (ahead == null && readPosition < nextPosition) {
            Segment from = segmentOf(readPosition);
            if (from == null) {
                return null;
            }
            ahead = readNext(from);
            if (ahead == null) {
                giveUp(positionBehind(from));
            }
        }
        return ahead;
    }

    /** Where an event cannot be read, nor can those behind it in its segment: nobody knows where they begin. */
    private void giveUp(long end) {
        addUnreadable(losses, readPosition, end);
        for (long position = readPosition; position < end; position++) {
            acknowledgedAhead.add(position);
        }
        takeBackAnnouncements(end);
        readPosition = end;
        closeReader();
        writeLosses();
        advance();
    }

    private @Nullable Segment segmentOf(long position) {
        Segment found = null;
        for (Segment segment : segments) {
            if (segment.firstPosition() <= position) {
                found = segment;
            }
        }
        return found;
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
        inFlight.clear();
        readPosition = acknowledgedTo;
    }

    /** An event that was read has arrived. */
    public synchronized void acknowledge(long position) {
        if (position < acknowledgedTo || position >= nextPosition || !acknowledgedAhead.add(position)) {
            return;
        }
        acknowledged++;
        if (announced.remove(position) != null) {
            writeLosses();
        }
        if (position == acknowledgedTo) {
            advance();
        }
    }

    /** An event that was read will never arrive: it is a loss. */
    public synchronized void giveUp(Entry entry, SpoolLoss.Cause cause) {
        if (isOutstanding(entry.position())) {
            losses.add(LossList.of(cause, entry.event()));
            takeBackAnnouncement(entry.position());
            writeLosses();
            acknowledgedAhead.add(entry.position());
            if (entry.position() == acknowledgedTo) {
                advance();
            }
        }
    }

    private void takeBackAnnouncement(long position) {
        SpoolLoss loss = announced.remove(position);
        if (loss != null) {
            losses.add(loss);
        }
    }

    private void advance() {
        long before = acknowledgedTo;
        while (acknowledgedAhead.remove(acknowledgedTo)) {
            acknowledgedTo++;
        }
        if (acknowledgedTo != before) {
            skipTo(acknowledgedTo);
            writeAcknowledged();
            deleteAcknowledged();
        }
    }

    /** Nothing before a position is waited for any more. */
    private void skipTo(long position) {
        acknowledgedTo = Math.max(acknowledgedTo, position);
        acknowledgedAhead.removeIf(each -> each < acknowledgedTo);
        while (acknowledgedAhead.remove(acknowledgedTo)) {
            acknowledgedTo++;
        }
        while (!inFlight.isEmpty() && inFlight.getFirst().position() < acknowledgedTo) {
            inFlight.removeFirst();
        }
        if (readPosition < acknowledgedTo) {
            readPosition = acknowledgedTo;
            closeReader();
        }
    }

    private void deleteAcknowledged() {
        while (segments.size() > 1 && positionBehind(segments.getFirst()) <= acknowledgedTo) {
            Segment done = segments.removeFirst();
            octets -= done.end();
            closeReaderOf(done);
            done.delete();
        }
    }

    /** If the disk does not take it, a restart repeats more. The next one is written anyway. */
    private void writeAcknowledged() {
        try {
            state.acknowledged(acknowledgedTo);
        } catch (IOException e) {
            unwritten++;
        }
    }

    /** If the disk does not take them, a restart loses them; readers still see a gap. */
    private void writeLosses() {
        try {
            state.losses(losses());
        } catch (IOException e) {
            unwritten++;
        }
    }

    /** What is lost, also by earlier processes, and is not known to have been announced; at most twice {@value LossList#MOST}. */
    public synchronized List<SpoolLoss> losses() {
        List<SpoolLoss> all = new ArrayList<>(losses.all());
        all.addAll(announced.values());
        return all;
    }

    /** What of the losses is to be announced now: nothing while earlier announcements are under way. */
    public synchronized List<SpoolLoss> toAnnounce() {
        return announced.isEmpty() ? losses.all() : List.of();
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
            losses.remove(loss);
            announced.put(nextPosition - 1, loss);
            writeLosses();
        }
        return status;
    }

    /** What it holds, and what it did. */
    public synchronized SpoolCounts counts() {
        return new SpoolCounts(
                nextPosition - acknowledgedTo - acknowledgedAhead.size(),
                octets,
                oldestNs(),
                kept,
                acknowledged,
                refused,
                evicted,
                tornOctets,
                unreadable,
                unwritten);
    }

    private OptionalLong oldestNs() {
        for (InFlight each : inFlight) {
            if (isOutstanding(each.position())) {
                return OptionalLong.of(each.atNs());
            }
        }
        SpooledEvent next = peek();
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.atNs());
    }

    /** Lets another process have it; what is not acknowledged stays. */
    @Override
    public synchronized void close() throws IOException {
        closeReader();
        segments.forEach(Segment::seal);
        state.close();
        lockFile.close();
        USED.remove(folder);
    }
}
