package io.offhook.cli.input;

import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.EncryptedSignalling;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.StringJoiner;

/** The summary of a capture, in sentences below a table. */
public final class CaptureSummary {
    /** The number of servers named in a line. */
    private static final int MOST_SERVERS = 3;

    private CaptureSummary() {}

    /** "12,345 packets in 61.2 s; nothing dropped.", or without the last part if a counter is not 0. */
    public static String line(CaptureReport capture) {
        String packets = Words.count(capture.packets(), "packet");
        if (capture.packets() > 0) {
            packets += " in " + span(capture.durationNs());
        }
        return packets + (capture.counters().isEmpty() ? "; nothing dropped." : ".");
    }

    /** "61.2 s", or "12:05" for ten minutes or more. */
    public static String span(long ns) {
        return ns < 600_000_000_000L ? Decimals.text(ns / 1e9, 1) + " s" : Times.duration(ns);
    }

    /** "3 TLS streams on port 5061 (192.0.2.1:5061): encrypted signalling, its calls cannot be seen"; empty if there are none. */
    public static String encryptedSignalling(CaptureReport capture) {
        List<EncryptedSignalling> servers = capture.encryptedSignalling();
        if (servers.isEmpty()) {
            return "";
        }
        long streams = 0;
        boolean onPort = true;
        StringJoiner names = new StringJoiner(", ", " (", servers.size() > MOST_SERVERS ? "...)" : ")");
        for (EncryptedSignalling server : servers) {
            streams += server.streams();
            onPort &= server.server().port() == EncryptedSignalling.PORT;
        }
        servers.stream()
                .limit(MOST_SERVERS)
                .forEach(server -> names.add(server.server().toString()));
        return Words.count(streams, "TLS stream") + (onPort ? " on port " + EncryptedSignalling.PORT : " for SIP")
                + names + ": encrypted signalling, its calls cannot be seen";
    }

    /** "Counted: truncated packets 3 (packets 17 to 230), ..."; nothing if there are none. */
    public static void counters(CaptureReport capture, Terminal terminal) throws IOException {
        counters(capture.counters(), terminal);
    }

    /** As {@link #counters(CaptureReport, Terminal)}, for a list of counters. */
    public static void counters(List<CaptureReport.Counter> counters, Terminal terminal) throws IOException {
        if (counters.isEmpty()) {
            return;
        }
        StringJoiner text = new StringJoiner(", ", "Counted: ", ".");
        for (CaptureReport.Counter counter : counters) {
            text.add(Words.ofCamelCase(counter.name()) + " " + count(counter));
        }
        Writer out = terminal.out();
        for (String line : Text.wrap(text.toString(), terminal.width())) {
            out.append(line).append('\n');
        }
    }

    /** "3 (packets 17 to 230)", "1 (packet 17)", or only the number if the place is unknown. */
    private static String count(CaptureReport.Counter counter) {
        String count = Decimals.grouped(counter.count());
        return counter.hasFrames() ? count + " (" + frames(counter) + ")" : count;
    }

    /** "3 (packets 17 to 230, 14:03:07.120 to 14:03:09.880)", with times. */
    public static String count(CaptureReport.Counter counter, Times times) {
        if (!counter.hasTimes()) {
            return Decimals.grouped(counter.count());
        }
        String first = times.timeOfDay(counter.firstNs());
        String last = times.timeOfDay(counter.lastNs());
        String when = first.equals(last) ? first : first + " to " + last;
        String frames = counter.hasFrames() ? frames(counter) + ", " : "";
        return Decimals.grouped(counter.count()) + " (" + frames + when + ")";
    }

    private static String frames(CaptureReport.Counter counter) {
        String first = Decimals.grouped(counter.firstFrame());
        return counter.firstFrame() == counter.lastFrame()
                ? "packet " + first
                : "packets " + first + " to " + Decimals.grouped(counter.lastFrame());
    }
}
