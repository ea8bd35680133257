package io.offhook.analysis.kept;

import io.offhook.analysis.Pipeline;
import io.offhook.packet.buffer.BorrowingThreads;
import io.offhook.pcap.PacketSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the packets of calls while they are captured, and gives those of a call back.
 *
 * <pre>{@code
 * try (KeptPackets kept = KeptPackets.open(new KeepSettings(folder, 20L << 30))) {
 *     kept.addTo(pipeline, false);
 *     pipeline.watch(source);              // meanwhile or afterwards, on any thread:
 *     try (PacketSource packets = kept.read(new KeptCall().messages(callId, fromNs, untilNs))) { ... }
 * }
 * }</pre>
 *
 * <p>What is kept: SIP in datagrams, on TCP connections (from their handshake on), in WebSockets, SCTP and HEP, TLS at port
 * 5061, all RTP and RTCP, and what may be needed to read them: fragments, STUN, TURN, handshakes of DTLS, ICMP errors. RTP is kept before its call
 * is known. Packets are in the segments in the order of capture, with their times in nanoseconds.
 *
 * <p>The thread that captures never waits for the disk. A full disk, or one that is too slow, costs packets, which are counted;
 * writing goes on when there is room. Of a process that was killed, the packets of the last quarter of a second are missing.
 * Thread-safe but for {@link #addTo}.
 */
public final class KeptPackets implements AutoCloseable {
    private final SegmentFolder folder;
    private final Arena arena = Arena.ofShared();
    private final BlockQueue queue;
    private final SegmentWriter writer;
    private final Thread thread;
    private boolean isClosed;

    private KeptPackets(KeepSettings settings, SegmentFolder folder) {
        this.folder = folder;
        queue = new BlockQueue(arena, settings.queueBytes());
        writer = new SegmentWriter(settings, folder, queue);
        thread = Thread.ofPlatform().daemon().name("offhook-packets").unstarted(writer);
    }

    /**
     * Opens a folder, which belongs to this process until it is closed. Segments that a killed process left are made whole.
     *
     * @throws IOException if it cannot be used
     */
    public static KeptPackets open(KeepSettings settings) throws IOException {
        KeptPackets opened = new KeptPackets(settings, SegmentFolder.open(settings.folder()));
        opened.thread.start();
        return opened;
    }

    /**
     * Keeps the packets of a pipeline, which runs once, and before this is closed.
     *
     * @param isOpened whether the pipeline has keys for TLS: connections of TLS at ports other than 5061 are kept from their
     *     beginning until it is known whether they are of SIP
     */
    public void addTo(Pipeline pipeline, boolean isOpened) {
        addTo(pipeline, isOpened, List.of());
    }

    /**
     * As {@link #addTo(Pipeline, boolean)}, of several inputs: where packets are read again, the name of their interface says at
     * which of them each was captured.
     *
     * @param inputs the names of the source's interfaces, in their order
     */
    public void addTo(Pipeline pipeline, boolean isOpened, List<String> inputs) {
        queue.name(inputs);
        new FrameKeys(queue, FrameKeys.Extent.WHOLE, isOpened).addTo(pipeline);
    }

    /**
     * As {@link #addTo(Pipeline, boolean, List)}, but of RTP in datagrams only the headers, and none in TCP or TURN: it can be
     * counted and compared, and not be heard. Fragments are kept as they are.
     *
     * @param inputs the names of the source's interfaces, in their order
     */
    public void addHeadersTo(Pipeline pipeline, boolean isOpened, List<String> inputs) {
        queue.name(inputs);
        new FrameKeys(queue, FrameKeys.Extent.HEADERS, isOpened).addTo(pipeline);
    }

    /**
     * Passes on the packets of the last quarter of a second, which otherwise wait for others, once the pipeline has ended. Called
     * by the thread that ran it.
     */
    public void flush() {
        queue.flush();
    }

    /**
     * How many packets were accepted up to the last round of the pipeline. They are written, and can be read, as soon as {@link
     * KeptCounts#packets} and {@link KeptCounts#lost} together have come up to this: within half a second, unless the disk is slow.
     */
    public long accepted() {
        return queue.accepted();
    }

    /**
     * When the latest of the packets was captured that were deleted to make room or by age since this was opened, nanoseconds since the
     * epoch; {@link Long#MIN_VALUE} if none was. Those captured after it are there.
     */
    public long deletedNs() {
        return folder.deletedNs();
    }

    /**
     * Opens the packets of a call, as far as they were written; what was captured in the last quarter of a second may be
     * missing. They may include some of other calls.
     *
     * @return a source that the caller closes, without packets if none are there
     * @throws IOException if a segment cannot be read
     */
    public PacketSource read(KeptCall call) throws IOException {
        KeptSource source = new KeptSource();
        try {
            OpenSegment open = writer.open(); // before the others: it may become one of them
            IndexEntries entries = open == null ? new IndexEntries() : open.entries();
            for (Segment segment : folder.segments()) {
                if (open == null || !segment.file().equals(open.file())) {
                    add(source, segment, call);
                }
            }
            if (open != null) {
                add(source, open.file(), entries, wanted(call, open.span()));
            }
            return source;
        } catch (IOException | RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /**
     * The files of segments with packets of a time, oldest first; the last one may be growing. Some may be deleted meanwhile.
     *
     * @param fromNs nanoseconds since the epoch
     * @param untilNs likewise
     * @param most how many, the latest ones
     */
    public List<Path> segments(long fromNs, long untilNs, int most) {
        OpenSegment open = writer.open(); // before the others: it may become one of them
        List<Path> files = new ArrayList<>();
        for (Segment segment : folder.segments()) {
            boolean isOpen = open != null && segment.file().equals(open.file());
            if (!isOpen && segment.span().firstNs() <= untilNs && segment.span().lastNs() >= fromNs) {
                files.add(segment.file());
            }
        }
        if (open != null && open.span().firstNs() <= untilNs && open.span().lastNs() >= fromNs) {
            files.add(open.file());
        }
        return List.copyOf(files.subList(Math.max(0, files.size() - most), files.size()));
    }

    private static List<KeptCall.Want> wanted(KeptCall call, SegmentIndex.Span span) {
        return call.wants().stream()
                .filter(want -> want.overlaps(span.firstNs(), span.lastNs()))
                .toList();
    }

    private static void add(KeptSource source, Segment segment, KeptCall call) throws IOException {
        List<KeptCall.Want> wants = wanted(call, segment.span());
        if (wants.isEmpty()) {
            return;
        }
        Path file = segment.file();
        try (SegmentIndex index = SegmentIndex.open(Segment.index(file))) {
            if (index != null) {
                source.add(file, index::positions, wants);
            }
        }
    }

    private static void add(KeptSource source, Path file, IndexEntries entries, List<KeptCall.Want> wants)
            throws IOException {
        entries.sort();
        source.add(
                file,
                (key, found) -> {
                    for (int i = entries.firstOf(key); i < entries.count() && entries.key(i) == key; i++) {
                        found.accept(entries.position(i));
                    }
                },
                wants);
    }

    /** What became of the packets so far. */
    public KeptCounts counts() {
        return writer.counts();
    }

    /**
     * Writes what is left, and the index of the last segment.
     *
     * @throws IOException if the folder cannot be given back
     */
    @Override
    public synchronized void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        queue.flush();
        writer.endWhenEmpty();
        BorrowingThreads.join(thread);
        arena.close();
        folder.close();
    }
}
