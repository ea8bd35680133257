package io.offhook.cli.serve;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CallFrames;
import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.FrameLoop;
import io.offhook.calls.CallReport;
import io.offhook.cli.extract.CallExtract;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.decrypt.KeyedHandshakes;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.web.data.CallData;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Copies the packets of a call with those that only keys show: legs in TLS with their connections, and the handshakes of DTLS that
 * its media have their keys from.
 */
final class KeyedExtract {
    private static final int BATCH_FRAMES = 4096;

    private final AnalysisOptions options;
    private final DecryptionKeys keys;
    private final Supplier<PacketSource> packets;

    /** @param packets opens them, each time from their beginning */
    KeyedExtract(AnalysisOptions options, DecryptionKeys keys, Supplier<PacketSource> packets) {
        this.options = options.withTls(keys::tls);
        this.keys = keys;
        this.packets = packets;
    }

    /** As {@link SearchedPackets#write}. */
    CaptureReport write(CallData.CallKey call, OutputStream out) throws IOException {
        try {
            AnalysisResult result;
            try (PacketSource source = packets.get()) {
                result = Analysis.run(source, options);
            }
            List<CallReport> calls = ofCall(result.calls(), call);
            if (calls.isEmpty()) {
                throw new FileNotFoundException("the packets of this call are no longer there");
            }
            CallFrames frames;
            try (PacketSource source = packets.get()) {
                frames = CallFrames.find(source, calls, false, options.lanes(), options.tls());
            }
            Set<Long> handshakes = handshakes();
            try (PacketSource source = packets.get()) {
                CallExtract.copy(
                        source,
                        number -> frames.contains(number) || handshakes.contains(number),
                        _ -> PcapNgWriter.to(Channels.newChannel(out)));
            }
            return result.capture();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Set<Long> handshakes() {
        KeyedHandshakes handshakes = new KeyedHandshakes(keys);
        try (PacketSource source = packets.get()) {
            new FrameLoop(source, BATCH_FRAMES).run(handshakes);
        }
        return handshakes.frames();
    }

    /** The calls that have a leg of a call. */
    static List<CallReport> ofCall(Collection<CallReport> of, CallData.CallKey call) {
        return of.stream()
                .filter(report -> report.dialogs().stream()
                        .anyMatch(dialog -> call.callIds().contains(dialog.callId())))
                .toList();
    }
}
