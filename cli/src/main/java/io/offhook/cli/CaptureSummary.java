package io.offhook.cli;

import io.offhook.analysis.CaptureReport;
import java.io.IOException;
import java.io.Writer;

/** What a capture adds up to, in a sentence below the table. */
final class CaptureSummary {
    private CaptureSummary() {}

    /** "12,345 packets in 61.2 s; nothing dropped.", or without the last part where counters say otherwise. */
    static String line(CaptureReport capture) {
        String packets = Words.count(capture.packets(), "packet");
        if (capture.packets() > 0) {
            packets += " in " + span(capture.lastNs() - capture.firstNs());
        }
        return packets + (capture.counters().isEmpty() ? "; nothing dropped." : ".");
    }

    /** "61.2 s", or "12:05" from ten minutes on. */
    static String span(long ns) {
        return ns < 600_000_000_000L ? Decimals.text(ns / 1e9, 1) + " s" : Times.duration(ns);
    }

    /** "Counted: 3 truncated packets (first: packet 17), ...": nothing where there is nothing. */
    static void counters(CaptureReport capture, Writer out) throws IOException {
        if (capture.counters().isEmpty()) {
            return;
        }
        out.append("Counted: ");
        String separator = "";
        for (CaptureReport.Counter counter : capture.counters()) {
            out.append(separator)
                    .append(Words.ofCamelCase(counter.name()))
                    .append(' ')
                    .append(count(counter));
            separator = ", ";
        }
        out.append(".\n");
    }

    /** "3 (first: packet 17)". */
    static String count(CaptureReport.Counter counter) {
        String first =
                counter.firstFrame() > 0 ? " (first: packet " + Decimals.grouped(counter.firstFrame()) + ")" : "";
        return Decimals.grouped(counter.count()) + first;
    }
}
