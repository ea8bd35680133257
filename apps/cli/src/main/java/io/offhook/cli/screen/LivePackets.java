package io.offhook.cli.screen;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.kept.KeepSettings;
import io.offhook.analysis.kept.KeptCall;
import io.offhook.analysis.kept.KeptCounts;
import io.offhook.analysis.kept.KeptPackets;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.messages.KeptMessage;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.sip.SipTransport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The latest packets of live calls, in a temporary folder that only this user can read, within a limit of bytes: the oldest go
 * first. The folder is deleted at the end, also if a signal ends the process. What is saved is copied there first, beside the limit,
 * so that packets which go meanwhile do no harm.
 */
final class LivePackets implements AutoCloseable {
    /** What is captured of a call before its first message: a handshake. */
    private static final long BEFORE_NS = 10_000_000_000L;

    /** Messages and ICMP errors behind the end of a call. */
    private static final long AFTER_NS = 60_000_000_000L;

    /** The longest wait for the disk to write what was captured, and how often it is looked at. */
    private static final long PATIENCE_NS = 5_000_000_000L;

    private static final long LOOK_NS = 10_000_000L;

    private final Path folder;
    private final long mostBytes;
    private final KeptPackets kept;
    private final @Nullable KeyOptions keys;
    private final Thread atExit;

    /**
     * Calls whose packets are wanted.
     *
     * @param calls as they were reported, at any time since
     * @param packets where to look for them
     * @param fromNs when the first message of each came
     * @param untilNs when the last packet of each came
     * @param accepted what must have been written before it is looked for
     */
    record Wanted(List<CallReport> calls, KeptCall packets, List<Long> fromNs, List<Long> untilNs, long accepted) {}

    private LivePackets(Path folder, long mostBytes, KeptPackets kept, @Nullable KeyOptions keys) {
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.kept = kept;
        this.keys = keys;
        atExit = new Thread(() -> delete(folder), "offhook-delete-packets");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Makes the folder.
     *
     * @param mostBytes of all packets, {@link KeepSettings#LEAST_BYTES} or more
     * @param keys of TLS that were given, which outlive this; or null
     * @throws IOException if there is no place for it
     */
    static LivePackets open(long mostBytes, @Nullable KeyOptions keys) throws IOException {
        Path folder = Files.createTempDirectory("offhook-browse-");
        try {
            return new LivePackets(folder, mostBytes, KeptPackets.open(new KeepSettings(folder, mostBytes)), keys);
        } catch (IOException | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    /** Where they are. */
    Path folder() {
        return folder;
    }

    /** Keeps the packets of a pipeline. */
    void addTo(Pipeline pipeline) {
        kept.addTo(pipeline, keys != null);
    }

    /** The pipeline has ended; called by the thread that ran it. */
    void end() {
        kept.flush();
    }

    /** What of the packets is no longer there, or never was: "packets until 12:20:02.113 gone"; empty if nothing is missing. */
    String missing(Times times) {
        KeptCounts counts = kept.counts();
        long deletedNs = kept.deletedNs();
        List<String> parts = new ArrayList<>();
        if (deletedNs != Long.MIN_VALUE) {
            parts.add("packets until " + times.timeOfDay(deletedNs) + " gone (" + limit() + ')');
        }
        if (counts.dropped() + counts.lost() > 0) {
            parts.add(notKept(counts));
        }
        return String.join("; ", parts);
    }

    private static String notKept(KeptCounts counts) {
        String why = counts.failure();
        return Words.count(counts.dropped() + counts.lost(), "packet") + " not kept: "
                + (why == null ? "the disk is too slow" : why);
    }

    /** "the last 256.0 MB are kept". */
    private String limit() {
        return "the last " + Progress.bytes(mostBytes) + " are kept";
    }

    /**
     * What is wanted of calls; called between two rounds, where their statistics stand still.
     *
     * @param messages of the calls, by which connections are found
     * @param nowNs the end of calls that go on
     */
    Wanted wanted(List<CallReport> calls, List<KeptMessage> messages, long nowNs) {
        KeptCall packets = new KeptCall();
        List<Long> from = new ArrayList<>();
        List<Long> until = new ArrayList<>();
        for (CallReport call : calls) {
            long firstNs = call.times().firstSeenNs();
            long lastNs = call.times().endedNs() == CallReport.NEVER
                    ? nowNs
                    : call.counts().lastNs();
            for (StreamReport stream : call.streams()) {
                lastNs = Math.max(lastNs, stream.statistics().lastNs());
                packets.stream(
                        stream.source(),
                        stream.destination(),
                        stream.ssrc(),
                        stream.statistics().firstNs(),
                        Long.MAX_VALUE);
            }
            call.dialogs().forEach(dialog -> packets.messages(dialog.callId(), 0, Long.MAX_VALUE));
            packets.others(firstNs - Math.min(firstNs, BEFORE_NS), lastNs + AFTER_NS);
            from.add(firstNs);
            until.add(lastNs);
        }
        for (KeptMessage message : messages) {
            if (message.transport() != SipTransport.UDP) {
                // TLS is opened from its handshake on only
                packets.connection(message.source(), message.destination(), 0, message.timestampNs() + AFTER_NS);
            }
        }
        return new Wanted(calls, packets, from, until, kept.accepted());
    }

    /**
     * Writes calls to a file of packets, or a folder of scenarios.
     *
     * @param names of the interfaces, for what is said
     * @return what was written, and what has gone, as a sentence
     * @throws IOException if nothing of the calls is left, or a file cannot be read or written
     */
    String write(Wanted wanted, Path file, AnalysisOptions options, String names, Times times) throws IOException {
        await(wanted.accepted());
        long deletedNs = kept.deletedNs();
        int gone = 0;
        int cut = 0;
        for (int i = 0; i < wanted.calls().size(); i++) {
            gone += wanted.untilNs().get(i) <= deletedNs ? 1 : 0;
            cut += wanted.fromNs().get(i) <= deletedNs ? 1 : 0;
        }
        if (gone == wanted.calls().size()) {
            throw new IOException(
                    "all packets of " + Words.count(gone, "call") + " have gone: " + limit() + ", those after "
                            + times.timeOfDay(deletedNs) + "; offhook capture -i " + names + " -w FILE keeps all");
        }
        StringBuilder said = new StringBuilder(copied(wanted, file, options));
        if (cut > 0) {
            said.append("; of ")
                    .append(Words.count(cut, "call"))
                    .append(" packets until ")
                    .append(times.timeOfDay(deletedNs))
                    .append(" have gone: ")
                    .append(limit());
        }
        KeptCounts counts = kept.counts();
        if (counts.dropped() + counts.lost() > 0) {
            said.append("; ").append(notKept(counts));
        }
        return said.toString();
    }

    /** Waits until what was captured is written. */
    private void await(long accepted) {
        long beganNs = System.nanoTime();
        KeptCounts counts = kept.counts();
        while (counts.packets() + counts.lost() < accepted && System.nanoTime() - beganNs < PATIENCE_NS) {
            LockSupport.parkNanos(LOOK_NS);
            counts = kept.counts();
        }
    }

    /** Copies what may be of the calls, and writes what is. */
    private String copied(Wanted wanted, Path file, AnalysisOptions options) throws IOException {
        Path copy = Files.createTempFile(folder, "copy-", ".pcapng");
        try {
            try (PacketSource source = kept.read(wanted.packets())) {
                CallExtract.copy(source, _ -> true, _ -> PcapNgWriter.create(copy, ""));
            }
            Terminal quiet = SavedCalls.quiet(OutputStream.nullOutputStream());
            try (RereadableFiles files = RereadableFiles.of(List.of(copy.toString()), null, quiet, true)
                    .borrowing(keys)) {
                SavedCalls saved = new SavedCalls(files, options);
                return SavedCalls.isScenario(file)
                        ? scenarios(wanted, file, files, options, saved)
                        : saved.packets(
                                wanted.calls().stream()
                                        .map(CallReport::withoutFrames)
                                        .toList(),
                                file);
            }
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** A scenario is made of the calls as the packets that are left have them. */
    private static String scenarios(
            Wanted wanted, Path file, RereadableFiles files, AnalysisOptions options, SavedCalls saved)
            throws IOException {
        Set<String> callIds = new HashSet<>();
        wanted.calls().forEach(call -> call.dialogs().forEach(dialog -> callIds.add(dialog.callId())));
        try (OpenCapture input = files.open(SavedCalls.quiet(OutputStream.nullOutputStream()))) {
            AnalysisResult result = input.analyse(options);
            List<CallReport> left = result.calls().stream()
                    .filter(call -> call.dialogs().stream().anyMatch(dialog -> callIds.contains(dialog.callId())))
                    .toList();
            return saved.scenarios(left, file, result.capture(), List.of());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // gone already, or still written to by a process that is being ended: nothing can report it
        }
    }

    /** Deletes all packets. The pipeline has ended. */
    @Override
    public void close() throws IOException {
        kept.close();
        delete(folder);
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the process is ending already, and the folder is gone
        }
    }
}
