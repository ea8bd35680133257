package io.offhook.store;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReport;
import io.offhook.calls.MediaOptions;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** A call of two legs. */
    static CallReport joined(CallReport call, CallReport leg) {
        List<CallReport.Dialog> dialogs = new ArrayList<>(call.dialogs());
        dialogs.addAll(leg.dialogs());
        return joined(call, dialogs);
    }

    private static CallReport joined(CallReport call, List<CallReport.Dialog> dialogs) {
        CallReport.Signalling signalling = call.signalling();
        return new CallReport(
                call.callId(),
                call.parties(),
                call.result(),
                call.times(),
                new CallReport.Signalling(
                        signalling.transport(),
                        signalling.counts(),
                        signalling.legs(),
                        signalling.firstFrame(),
                        new CallReport.Joined(dialogs, List.of(), List.of()),
                        signalling.headers(),
                        signalling.cutFrames()),
                call.media(),
                call.diagnosis());
    }

    /** Another call like this one, with a Call-ID of its own in all its legs, first seen earlier by some nanoseconds. */
    static CallReport another(CallReport call, String suffix, long ns) {
        CallReport moved = earlier(renamed(call, suffix), ns);
        List<CallReport.Dialog> dialogs = new ArrayList<>();
        for (CallReport.Dialog dialog : call.dialogs()) {
            dialogs.add(new CallReport.Dialog(
                    dialog.callId() + suffix,
                    dialog.isCallIdPartial(),
                    dialog.role(),
                    dialog.join(),
                    dialog.hop(),
                    dialog.result(),
                    earlier(dialog.times(), ns)));
        }
        return joined(moved, dialogs);
    }

    /** The same call, first seen earlier by some nanoseconds. */
    static CallReport earlier(CallReport call, long ns) {
        return new CallReport(
                call.callId(),
                call.parties(),
                call.result(),
                earlier(call.times(), ns),
                call.signalling(),
                call.media(),
                call.diagnosis());
    }

    private static CallReport.Times earlier(CallReport.Times times, long ns) {
        return new CallReport.Times(
                times.firstSeenNs() - ns,
                times.invitedNs(),
                times.progressNs(),
                times.ringingNs(),
                times.answeredNs(),
                times.acknowledgedNs(),
                times.endedNs(),
                times.setUpNs());
    }
}
