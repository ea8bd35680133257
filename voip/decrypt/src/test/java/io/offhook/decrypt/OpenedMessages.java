package io.offhook.decrypt;

import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.PipelineReport;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.sip.SipTransport;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The SIP messages of a capture. */
final class OpenedMessages {
    final List<String> requests = new ArrayList<>();
    final List<String> responses = new ArrayList<>();
    final Set<SipTransport> transports = new TreeSet<>();
    final Map<String, Long> counters = new HashMap<>();
    /** The frames that the messages came in. */
    final Set<Long> frames = new TreeSet<>();

    private OpenedMessages() {}

    static OpenedMessages of(Path capture, DecryptionKeys keys) {
        OpenedMessages found = new OpenedMessages();
        try (PacketSource source = CaptureFiles.open(List.of(capture.toString()), InputStream.nullInputStream())) {
            PipelineReport report = Pipeline.of(2)
                    .tls(keys::tls)
                    .traced()
                    .rounds(round -> round.messages().forEach(message -> {
                        byte[] bytes = message.segment()
                                .asSlice(message.offset(), message.length())
                                .toArray(ValueLayout.JAVA_BYTE);
                        String text = new String(bytes, StandardCharsets.ISO_8859_1);
                        (text.startsWith("SIP/2.0") ? found.responses : found.requests).add(text);
                        found.transports.add(message.transport());
                        round.framesOf(message, found.frames::add);
                    }))
                    .run(source);
            if (report.defect() != null) {
                throw new AssertionError("an exception was contained", report.defect());
            }
            for (CaptureReport.Counter counter : report.counters()) {
                found.counters.put(counter.name(), counter.count());
            }
        }
        return found;
    }
}
