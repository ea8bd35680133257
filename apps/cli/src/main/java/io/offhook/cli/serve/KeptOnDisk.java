package io.offhook.cli.serve;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CallFrames;
import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.kept.KeepSettings;
import io.offhook.analysis.kept.KeptCall;
import io.offhook.analysis.kept.KeptCounts;
import io.offhook.analysis.kept.KeptPackets;
import io.offhook.calls.CallReport;
import io.offhook.cli.command.Amount;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.decrypt.KeyedConnections;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.store.StoreException;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CapturePoints;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The packets of live calls, kept on disk. Those of a call are found by what the database knows of it, and analysed again, so
 * that what is exported, and heard, is what files with only these packets would give.
 */
final class KeptOnDisk implements ServedCalls.Packets, SearchedPackets, AutoCloseable {
    static final String KEEP_PACKETS = "--keep-packets";

    /** Behind the name of the database. */
    private static final String FOLDER = ".packets";

    /** Segments that are searched for handshakes: 4 GiB. */
    private static final int MOST_SEARCHED = 64;

    private static final int BATCH_FRAMES = 4096;

    /** Of the headers of a run with several inputs: some 13,000 seconds of a call that two of them capture. */
    private static final long HEADERS_BYTES = 256L << 20;

    private static final long HEADERS_QUEUE = 16L << 20;

    private final KeptPackets kept;
    private final ServedStore store;
    private final AnalysisOptions options;
    private final @Nullable KeyOptions keys;
    /** A folder that is deleted at the end, as its database is; or null. */
    private final @Nullable Path temporary;

    private final boolean isOfHeaders;

    private KeptOnDisk(
            KeptPackets kept,
            ServedStore store,
            AnalysisOptions options,
            @Nullable KeyOptions keys,
            @Nullable Path temporary,
            boolean isOfHeaders) {
        this.kept = kept;
        this.store = store;
        this.options = options;
        this.keys = keys;
        this.temporary = temporary;
        this.isOfHeaders = isOfHeaders;
    }

    /**
     * Opens them, if options or configuration ask for it.
     *
     * @param size of {@code --keep-packets}, or null
     * @param packets of the configuration, or null
     * @param options of the analysis
     * @param keys that were given, or null
     * @return null if packets are not kept
     * @throws MisuseException if the folder cannot be used
     */
    static @Nullable KeptOnDisk open(
            @Nullable String size,
            @Nullable PacketsConfig packets,
            ServedStore store,
            AnalysisOptions options,
            @Nullable KeyOptions keys)
            throws IOException {
        if (size == null && packets == null) {
            return null;
        }
        long bytes =
                size == null && packets != null ? packets.bytes() : Amount.bytes(KEEP_PACKETS, String.valueOf(size));
        if (bytes < KeepSettings.LEAST_BYTES) {
            throw new MisuseException(KEEP_PACKETS + " " + size + " is too little; at least 16Mi are needed");
        }
        String configured = packets == null ? null : packets.folder();
        boolean isTemporary = configured == null && store.file().isEmpty();
        long ageNs = packets == null ? Long.MAX_VALUE : packets.ageNs();
        try {
            Path folder = isTemporary
                    ? Files.createTempDirectory("offhook-packets-")
                    : Path.of(configured == null ? store.file() + FOLDER : configured);
            KeepSettings settings = new KeepSettings(folder, bytes, ageNs, KeepSettings.STANDARD_QUEUE);
            return new KeptOnDisk(KeptPackets.open(settings), store, options, keys, isTemporary ? folder : null, false);
        } catch (IOException | InvalidPathException e) {
            throw new MisuseException(KEEP_PACKETS + ": " + e.getMessage());
        }
    }

    /**
     * Opens a place for the signalling and the headers of RTP of a run with several inputs, in a folder that is deleted at the
     * end: what is needed to compare them, without what people say. Null if there is no such place, which is reported.
     *
     * @param options of the analysis
     * @param keys that were given, or null
     */
    static @Nullable KeptOnDisk ofHeaders(
            ServedStore store, AnalysisOptions options, @Nullable KeyOptions keys, Terminal terminal) {
        try {
            Path folder = Files.createTempDirectory("offhook-points-");
            KeepSettings settings = new KeepSettings(folder, HEADERS_BYTES, Long.MAX_VALUE, HEADERS_QUEUE);
            return new KeptOnDisk(KeptPackets.open(settings), store, options, keys, folder, true);
        } catch (IOException e) {
            terminal.error("the inputs cannot be compared with each other: " + e.getMessage());
            return null;
        }
    }

    /**
     * Opens those that an earlier run kept, to be read only; null if there are none, or another process has them, which is reported.
     *
     * @param packets of the configuration, or null
     * @param options of the analysis
     * @param keys that were given, or null
     */
    static @Nullable KeptOnDisk ofEarlier(
            @Nullable PacketsConfig packets,
            ServedStore store,
            AnalysisOptions options,
            @Nullable KeyOptions keys,
            Terminal terminal) {
        String configured = packets == null ? null : packets.folder();
        Path folder = Path.of(configured == null ? store.file() + FOLDER : configured);
        if (store.file().isEmpty() || !Files.isDirectory(folder)) {
            return null;
        }
        try {
            KeepSettings settings = new KeepSettings(folder, Long.MAX_VALUE, Long.MAX_VALUE, KeepSettings.LEAST_QUEUE);
            return new KeptOnDisk(KeptPackets.open(settings), store, options, keys, null, false);
        } catch (IOException e) {
            terminal.error("packets that were kept cannot be shown: " + e.getMessage());
            return null;
        }
    }

    KeptPackets packets() {
        return kept;
    }

    /**
     * Keeps the packets of a pipeline, which runs once.
     *
     * @param inputs the names of its interfaces, in their order
     */
    void addTo(Pipeline pipeline, List<String> inputs) {
        if (isOfHeaders) {
            kept.addHeadersTo(pipeline, keys != null, inputs);
        } else {
            kept.addTo(pipeline, keys != null, inputs);
        }
    }

    /**
     * The inputs of a run as points.
     *
     * @param inputs their names
     * @param isOneClock whether one clock stamps the packets of all
     */
    CapturePoints points(List<String> inputs, boolean isOneClock) {
        return new ComparedInputs(this, options, inputs, isOneClock);
    }

    /** Adds what was lost of them. */
    void drops(List<CallData.Drop> to) {
        KeptCounts counts = kept.counts();
        if (isOfHeaders) {
            to.add(new CallData.Drop("packets missing where inputs are compared", counts.dropped() + counts.lost()));
            return;
        }
        to.add(new CallData.Drop("packets not kept, as the disk was too slow", counts.dropped()));
        to.add(new CallData.Drop("packets not kept, as the disk refused them", counts.lost()));
    }

    /** Why the last packets could not be written; null if they were. */
    @Nullable
    String failure() {
        return kept.counts().failure();
    }

    @Override
    public void write(List<CallData.CallKey> calls, OutputStream out) throws IOException {
        KeptCall wanted = wanted(calls);
        List<CallReport> reports = reports(wanted, calls);
        if (reports.isEmpty()) {
            throw new FileNotFoundException("the packets of this call were not kept, or deleted to make room");
        }
        try {
            CallFrames frames;
            try (PacketSource source = kept.read(wanted)) {
                frames = CallFrames.find(source, reports, false, options.lanes(), options.tls());
            }
            try (PacketSource source = kept.read(wanted)) {
                CallExtract.copy(source, frames, _ -> PcapNgWriter.to(Channels.newChannel(out)));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public CallData.@Nullable Recording recording(CallData.CallKey call) throws IOException {
        KeptCall wanted = wanted(List.of(call));
        CallReport most = null;
        for (CallReport report : reports(wanted, List.of(call))) {
            if (most == null || report.streams().size() > most.streams().size()) {
                most = report;
            }
        }
        return most == null ? null : StreamAudio.recording(most, () -> read(wanted), keys);
    }

    @Override
    public boolean has(CallData.CallKey call) {
        KeptCall wanted = new KeptCall();
        try (Connection connection = store.store().reader()) {
            KeptCallQuery.addStreams(connection, call, wanted);
            try (PacketSource source = kept.read(wanted)) {
                return !source.interfaces().isEmpty();
            }
        } catch (SQLException | IOException _) {
            return false; // what cannot be read cannot be heard
        }
    }

    @Override
    public SearchedPackets searched(CallData.CallKey call) {
        return this;
    }

    @Override
    public AnalysisOptions options() {
        return options;
    }

    @Override
    public @Nullable KeyOptions keys() {
        return keys;
    }

    @Override
    public CaptureReport write(
            CallData.CallKey call, DecryptionKeys with, UnaryOperator<PacketSource> through, OutputStream out)
            throws IOException {
        KeptCall wanted = wanted(List.of(call));
        try {
            connections(call, with, through, wanted);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new KeyedExtract(options, with, () -> through.apply(read(wanted))).write(call, out);
    }

    /**
     * Adds the connections of TLS whose secrets a user has. No database knows them: their handshakes are looked for in the
     * segments of the call's time and before it.
     */
    private void connections(
            CallData.CallKey call, DecryptionKeys with, UnaryOperator<PacketSource> through, KeptCall wanted)
            throws IOException {
        if (with.log().sessions() == 0) {
            return;
        }
        long untilNs;
        try (Connection connection = store.store().reader()) {
            untilNs = KeptCallQuery.untilNs(connection, call);
        } catch (SQLException | StoreException e) {
            throw new IOException("the database does not say when the call was: " + e.getMessage(), e);
        }
        List<String> files = new ArrayList<>();
        kept.segments(0, untilNs, MOST_SEARCHED).forEach(file -> files.add(file.toString()));
        if (files.isEmpty()) {
            return;
        }
        KeyedConnections connections = new KeyedConnections(with);
        try (PacketSource source = through.apply(CaptureFiles.open(files, InputStream.nullInputStream()))) {
            new FrameLoop(source, BATCH_FRAMES).run(connections);
        }
        for (KeyedConnections.Ends ends : connections.found()) {
            wanted.connection(ends.client(), ends.server(), 0, untilNs);
        }
    }

    /** The packets that are known of a call, from their beginning; closed by the caller. */
    PacketSource read(KeptCall wanted) {
        try {
            return kept.read(wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the database knows of calls. */
    KeptCall wanted(List<CallData.CallKey> calls) throws IOException {
        KeptCall wanted = new KeptCall();
        try (Connection connection = store.store().reader()) {
            for (CallData.CallKey call : calls) {
                KeptCallQuery.add(connection, call, wanted);
            }
            return wanted;
        } catch (SQLException | StoreException e) {
            throw new IOException("the database does not say where the packets are: " + e.getMessage(), e);
        }
    }

    /** The calls as their packets alone have them; legs are calls of their own if nothing else joins them. */
    private List<CallReport> reports(KeptCall wanted, List<CallData.CallKey> calls) throws IOException {
        Set<String> callIds = new HashSet<>();
        calls.forEach(call -> callIds.addAll(call.callIds()));
        List<CallReport> reports = new ArrayList<>();
        try (PacketSource source = kept.read(wanted)) {
            for (CallReport report : Analysis.run(source, options).calls()) {
                if (report.dialogs().stream().anyMatch(dialog -> callIds.contains(dialog.callId()))) {
                    reports.add(report);
                }
            }
        }
        return reports;
    }

    @Override
    public void close() throws IOException {
        kept.close();
        if (temporary != null) {
            delete(temporary);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
