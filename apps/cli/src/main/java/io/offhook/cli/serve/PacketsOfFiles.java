package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CallFrames;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.extract.CallExtract;
import io.offhook.cli.input.KeyOptions;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.store.CallStore;
import io.offhook.web.data.CallData;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds the packets of calls in the files that they were read from, by reading these again. */
final class PacketsOfFiles implements ServedCalls.Packets, SearchedPackets {
    private final SelectedFiles files;
    private final AnalysisOptions options;
    private final @Nullable KeyOptions keys;
    private final Map<Long, CallReport> calls;

    /**
     * Keeps the reports.
     *
     * @param options by which the files were read
     * @param keys that were given; or null
     */
    PacketsOfFiles(SelectedFiles files, List<CallReport> calls, AnalysisOptions options, @Nullable KeyOptions keys) {
        this.files = files;
        this.keys = keys;
        this.options = options;
        this.calls = HashMap.newHashMap(calls.size());
        for (CallReport call : calls) {
            this.calls.put(CallStore.id(call), call);
        }
    }

    /** Whether a call is in the files. */
    @Override
    public boolean has(CallData.CallKey key) {
        return calls.containsKey(key.id());
    }

    @Override
    public void write(List<CallData.CallKey> wanted, OutputStream out) throws IOException {
        List<CallReport> reports = wanted.stream()
                .map(key -> calls.get(key.id()))
                .filter(Objects::nonNull)
                .toList();
        if (reports.isEmpty()) {
            throw new IOException("the packets of this call are in none of the files");
        }
        try {
            CallFrames frames;
            try (PacketSource source = open()) {
                frames = CallFrames.find(source, reports, false, options.lanes(), options.tls());
            }
            try (PacketSource source = open()) {
                CallExtract.copy(source, frames, _ -> PcapNgWriter.to(Channels.newChannel(out)));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public CaptureReport write(
            CallData.CallKey call, DecryptionKeys with, UnaryOperator<PacketSource> through, OutputStream out)
            throws IOException {
        return new KeyedExtract(options, with, () -> through.apply(open())).write(call, out);
    }

    /** The calls that have a leg of a call. */
    List<CallReport> calls(CallData.CallKey call) {
        return KeyedExtract.ofCall(calls.values(), call);
    }

    @Override
    public @Nullable SearchedPackets searched(CallData.CallKey call) {
        return has(call) ? this : null;
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
    public CallData.@Nullable Recording recording(CallData.CallKey key) {
        CallReport call = calls.get(key.id());
        return call == null ? null : StreamAudio.recording(call, this::open, keys);
    }

    private PacketSource open() {
        return files.open();
    }
}
