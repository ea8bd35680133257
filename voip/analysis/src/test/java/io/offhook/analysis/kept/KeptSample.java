package io.offhook.analysis.kept;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CallFrames;
import io.offhook.analysis.Pipeline;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.sip.SipTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** A capture, its calls, and what is known of them that a database would know. */
record KeptSample(Path file, List<CallReport> calls, Map<String, Set<List<Endpoint>>> connections) {
    private static final AnalysisOptions OPTIONS = AnalysisOptions.defaults().withLanes(2);

    static KeptSample of(Path file) {
        Map<String, Set<List<Endpoint>>> connections = new TreeMap<>();
        AnalysisOptions listening = OPTIONS.withListener((message, packet, _) -> {
            if (packet.transport() != SipTransport.UDP) {
                connections
                        .computeIfAbsent(message.callId(), _ -> new LinkedHashSet<>())
                        .add(List.of(packet.source(), packet.destination()));
            }
        });
        try (PacketSource source = open(file)) {
            return new KeptSample(file, Analysis.run(source, listening).calls(), connections);
        }
    }

    static PacketSource open(Path file) {
        return CaptureFiles.open(List.of(file.toString()));
    }

    /** Keeps the packets of the capture. */
    KeptCounts keep(KeepSettings settings) throws IOException {
        KeptPackets kept = KeptPackets.open(settings);
        try (kept;
                PacketSource source = open(file)) {
            Pipeline pipeline = Pipeline.of(2);
            kept.addTo(pipeline, false);
            pipeline.run(source);
        }
        return kept.counts();
    }

    /** What a database knows of a call. */
    KeptCall wanted(CallReport call) {
        long fromNs = call.times().firstSeenNs();
        KeptCall wanted = new KeptCall().others(0, Long.MAX_VALUE);
        for (CallReport.Dialog dialog : call.dialogs()) {
            wanted.messages(dialog.callId(), fromNs, Long.MAX_VALUE);
            for (List<Endpoint> ends : connections.getOrDefault(dialog.callId(), Set.of())) {
                wanted.connection(ends.getFirst(), ends.getLast(), 0, Long.MAX_VALUE);
            }
        }
        for (StreamReport stream : call.streams()) {
            wanted.stream(
                    stream.source(),
                    stream.destination(),
                    stream.ssrc(),
                    stream.statistics().firstNs(),
                    stream.statistics().lastNs());
        }
        return wanted;
    }

    /** The packets of a call in the capture itself. */
    List<String> expected(CallReport call) {
        CallFrames frames;
        try (PacketSource source = open(file)) {
            frames = CallFrames.find(source, List.of(call), false, 2);
        }
        try (PacketSource source = open(file)) {
            return packets(source, frames);
        }
    }

    /** The packets of a call among those that were kept. */
    List<String> found(KeptPackets kept, CallReport call) throws IOException {
        KeptCall wanted = wanted(call);
        Set<String> callIds = new HashSet<>();
        call.dialogs().forEach(dialog -> callIds.add(dialog.callId()));
        List<CallReport> reports;
        try (PacketSource source = kept.read(wanted)) {
            reports = Analysis.run(source, OPTIONS).calls().stream()
                    .filter(any -> any.dialogs().stream().anyMatch(dialog -> callIds.contains(dialog.callId())))
                    .toList();
        }
        CallFrames frames;
        try (PacketSource source = kept.read(wanted)) {
            frames = CallFrames.find(source, reports, false, 2);
        }
        try (PacketSource source = kept.read(wanted)) {
            return packets(source, frames);
        }
    }

    private static List<String> packets(PacketSource source, CallFrames frames) {
        List<String> found = new ArrayList<>();
        FrameBatch batch = new FrameBatch(100);
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                if (frames.contains(batch.number(i))) {
                    found.add(packet(batch, i));
                }
            }
        }
        return found;
    }

    /** Time, link type, lengths and bytes of a packet, these by their sum. */
    static String packet(FrameBatch batch, int i) {
        CRC32C sum = new CRC32C();
        sum.update(batch.segmentOf(i)
                .asSlice(batch.offset(i), batch.capturedLength(i))
                .asByteBuffer());
        return batch.timestampNs(i) + " " + batch.linkType(i) + " " + batch.capturedLength(i) + "/"
                + batch.wireLength(i) + " " + Long.toHexString(sum.getValue());
    }
}
