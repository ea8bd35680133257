package io.offhook.cli.serve;

import io.offhook.analysis.CaptureReport;
import io.offhook.cli.input.CaptureSummary;
import io.offhook.report.text.Words;
import java.util.ArrayList;
import java.util.List;

/** Why captures have no calls, or fewer than expected: sentences for the page. */
final class CaptureNotes {
    private static final String KEYS = "offhook serve --keylog FILE reads it with its keys.";

    private CaptureNotes() {}

    /** Empty if there is nothing that explains a call that is missing. */
    static List<String> of(CaptureReport capture) {
        List<String> notes = new ArrayList<>();
        boolean hasSip = capture.sipRequests() + capture.sipResponses() > 0;
        if (!hasSip) {
            notes.add("No SIP was found in " + Words.count(capture.packets(), "packet") + '.');
        }
        String encrypted = CaptureSummary.encryptedSignalling(capture);
        long tls = tlsStreams(capture);
        if (!encrypted.isEmpty()) {
            notes.add(encrypted + ". " + KEYS);
        } else if (!hasSip && tls > 0) {
            notes.add(Words.count(tls, "TLS stream") + " may have SIP inside. " + KEYS);
        }
        if (!hasSip) {
            notes.add("RTP without SIP belongs to no call: offhook streams FILE finds it.");
        }
        return List.copyOf(notes);
    }

    private static long tlsStreams(CaptureReport capture) {
        return capture.counters().stream()
                .filter(counter -> counter.name().equals("tlsStreams"))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }
}
