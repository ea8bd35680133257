package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.calls.OpenedAudio;
import io.offhook.cli.input.KeyOptions;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.fields.FieldWriter;
import io.offhook.rtp.PayloadOpener;
import io.offhook.store.CallStore;
import io.offhook.store.StoreException;
import io.offhook.web.data.CallData;
import io.offhook.web.data.InputState;
import io.offhook.web.data.KeyedCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call that is opened with a user's keys: its packets, with those of its TLS connections, are copied to a file of their own,
 * which is read as a dropped capture is, with the keys. File and database are temporary, and only the user who runs the server
 * can read them. Who reads packets meanwhile has a share in it; the last one who leaves overwrites the keys.
 */
final class OpenedCall implements KeyedCall, ServedCalls.Filling {
    private final CallData.CallKey key;
    private final SearchedPackets from;
    private final DecryptionKeys keys;
    private final KeyOptions options;
    private final AnalysisOptions analysis;
    private final ServedStore store;
    private final ServedCalls data;
    private final Path file;
    private final FilledByFiles filling;
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile State state = State.READING;
    private volatile List<String> words = List.of();
    private volatile boolean isAnythingOpened;
    private volatile @Nullable Long call;
    private volatile @Nullable String failure;
    /** Who needs keys and files: its owner, and those who read. */
    private int shares = 1;

    private OpenedCall(CallData.CallKey key, SearchedPackets from, DecryptionKeys keys, ServedStore store, Path file) {
        this.key = key;
        this.from = from;
        this.keys = keys;
        this.store = store;
        this.file = file;
        options = KeyOptions.of(keys);
        analysis = options.in(from.options());
        data = new ServedCalls(store);
        filling = new FilledByFiles(List.of(file.toString()), "call with keys", data.metrics());
        data.filledBy(this);
        thread = Thread.ofPlatform().daemon().name("offhook-opening").unstarted(this::run);
    }

    /**
     * Begins to open a call.
     *
     * @param from has its packets
     * @param text with the keys
     * @throws io.offhook.decrypt.KeyFileException if they are not understood
     * @throws IOException if there is no room for what is read
     */
    static OpenedCall start(CallData.CallKey key, SearchedPackets from, MemorySegment text) throws IOException {
        KeyOptions besides = from.keys();
        DecryptionKeys keys = DecryptionKeys.parse(text, besides == null ? null : besides.keys());
        Path file = null;
        try {
            file = Files.createTempFile("offhook-keyed-", ".pcapng");
            OpenedCall opened = new OpenedCall(key, from, keys, ServedStore.open(null), file);
            opened.thread.start();
            return opened;
        } catch (IOException | RuntimeException e) {
            keys.close();
            if (file != null) {
                Files.deleteIfExists(file);
            }
            throw e;
        }
    }

    private void run() {
        try {
            CaptureReport searched;
            try (OutputStream out = Files.newOutputStream(file)) {
                searched = from.write(key, keys, source -> new EndingSource(source, () -> isClosed), out);
            }
            if (isClosed) {
                return;
            }
            filling.start(store.store(), analysis, options, InputStream.nullInputStream());
            filling.await();
            check(searched);
        } catch (IOException | UncheckedIOException | SQLException e) {
            fail(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fail("internal error (a bug in Offhook): " + e);
        }
    }

    private void fail(String why) {
        failure = why;
        state = State.FAILED;
    }

    private void check(CaptureReport searched) throws SQLException, IOException {
        PacketsOfFiles packets = filling.packets();
        if (packets == null || isClosed) {
            fail(String.valueOf(filling.inputs().getFirst().message()));
            return;
        }
        List<CallReport> calls = packets.calls(key);
        CallReport most = null;
        for (CallReport each : calls) {
            most = most == null || each.streams().size() > most.streams().size() ? each : most;
        }
        if (most == null) {
            fail("the packets of this call are not there");
            return;
        }
        List<String> found = new ArrayList<>();
        try (PacketSource source = source();
                OpenedAudio opened = OpenedAudio.of(source, options);
                PacketSource again = source()) {
            KeyCheck.Media media = KeyCheck.media(calls, opened, again);
            long messages = tlsMessages(calls);
            found.addAll(KeyCheck.signalling(searched, keys.log().sessions(), messages, opened.isAnyOpened()));
            found.addAll(media.words());
            isAnythingOpened = media.isAnyOpened() || messages > 0;
        }
        words = List.copyOf(found);
        call = CallStore.id(most);
        state = State.READY;
    }

    private PacketSource source() {
        return new EndingSource(
                CaptureFiles.open(List.of(file.toString()), InputStream.nullInputStream()), () -> isClosed);
    }

    private long tlsMessages(List<CallReport> calls) throws SQLException, IOException {
        Set<String> callIds = new HashSet<>();
        calls.forEach(each -> each.dialogs().forEach(dialog -> callIds.add(dialog.callId())));
        try (Connection connection = store.store().reader();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT call_id, count(*) FROM messages WHERE transport IN ('TLS', 'WSS') GROUP BY call_id")) {
            long messages = 0;
            while (row.next()) {
                messages += callIds.contains(row.getString(1)) ? row.getLong(2) : 0;
            }
            return messages;
        }
    }

    @Override
    public CallData data() {
        return data;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public synchronized boolean isInUse() {
        return shares > 1;
    }

    @Override
    public void write(FieldWriter out) {
        Long id = call;
        out.field("call", id == null ? null : String.valueOf(id)).field("message", failure);
        out.field("opened", isAnythingOpened);
        out.array("notes");
        words.forEach(out::element);
        out.end();
    }

    @Override
    public long revision() {
        return filling.revision();
    }

    @Override
    public List<InputState> inputs() {
        return filling.inputs();
    }

    @Override
    public List<CallData.Drop> drops() {
        return filling.drops();
    }

    @Override
    public ServedCalls.@Nullable Packets packets() {
        PacketsOfFiles packets = filling.packets();
        return packets == null ? null : new Shared(packets);
    }

    private synchronized void take() throws IOException {
        if (shares == 0) {
            throw new IOException("the keys of this view were forgotten meanwhile");
        }
        shares++;
    }

    private void release() {
        synchronized (this) {
            if (--shares > 0) {
                return;
            }
        }
        filling.close();
        keys.close();
        try {
            store.close();
        } catch (StoreException _) {
            // its files are deleted all the same
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // it is in a temporary folder, which the system clears
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        release();
    }

    /** The packets for somebody who reads them, with a share in the keys meanwhile. */
    private final class Shared implements ServedCalls.Packets {
        private final PacketsOfFiles packets;

        Shared(PacketsOfFiles packets) {
            this.packets = packets;
        }

        @Override
        public boolean has(CallData.CallKey of) {
            return packets.has(of);
        }

        @Override
        public void write(List<CallData.CallKey> calls, OutputStream out) throws IOException {
            take();
            try {
                packets.write(calls, out);
            } finally {
                release();
            }
        }

        @Override
        public CallData.@Nullable Recording recording(CallData.CallKey of) throws IOException {
            take();
            CallData.Recording recording = null;
            try {
                recording = packets.recording(of);
            } finally {
                if (recording == null) {
                    release();
                }
            }
            return recording == null
                    ? null
                    : new CallData.Recording(recording.call(), recording.packets(), new SharedKeys(recording.keys()));
        }
    }

    /** The keys of streams for somebody who listens; closing them gives the share back. */
    private final class SharedKeys implements CallData.StreamKeys {
        private final CallData.StreamKeys streams;
        private boolean isGivenBack;

        SharedKeys(CallData.StreamKeys streams) {
            this.streams = streams;
        }

        @Override
        public @Nullable PayloadOpener opener(StreamReport stream) {
            return streams.opener(stream);
        }

        @Override
        public void close() {
            if (!isGivenBack) {
                isGivenBack = true;
                streams.close();
                release();
            }
        }
    }
}
