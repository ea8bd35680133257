package io.offhook.store;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReport;
import io.offhook.calls.MediaOptions;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The calls of samples/calls.pcap, which come with every checkout. */
final class SampleCalls {
    static final int COUNT = 12;

    private SampleCalls() {}

    static List<CallReport> all() throws IOException {
        try (CaptureFileSource file = CaptureFiles.open(Path.of("../../samples/calls.pcap"))) {
            return Analysis.run(file, AnalysisOptions.defaults().withMedia(MediaOptions.DEFAULT.withIntervals(true)))
                    .calls();
        }
    }

    /** As if the same had been captured another time. */
    static CallReport renamed(CallReport call, String suffix) {
        return new CallReport(
                call.callId() + suffix,
                call.parties(),
                call.result(),
                call.times(),
                call.signalling(),
                call.media(),
                call.diagnosis());
    }
}
