package io.offhook.bench.store;

import com.sun.management.OperatingSystemMXBean;
import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.calls.CallReport;
import io.offhook.calls.MediaOptions;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.sip.SipMessageView;
import io.offhook.store.CallStore;
import io.offhook.store.CallWriter;
import io.offhook.store.StoreSettings;
import io.offhook.store.WriterSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes SIP messages, then calls with their streams, intervals and documents, into a database on disk, through the writer of a live
 * capture. They are those of a capture, again and again with other Call-IDs and times; nothing is read twice from the capture.
 */
public final class StoreWriting {
    private static final double NS = 1e9;
    private static final long STEP_NS = 10_000;
    private static final int DIGITS = 9;
    private static final int CALLS_AT_A_TIME = 1000;
    private static final int MOST_WAITING_CALLS = 40_000;
    private static final long MOST_WAITING_BYTES = 240 << 20;

    private final Path folder;
    private final Path capture;
    private final List<Template> templates = new ArrayList<>();
    private List<CallReport> calls = List.of();
    private final long firstNs = System.currentTimeMillis() * 1_000_000;

    private StoreWriting(Path folder, Path capture) {
        this.folder = folder;
        this.capture = capture;
    }

    /** A message, whose Call-ID ends with digits that are changed. */
    private static final class Template {
        final SipMessageView view = new SipMessageView();
        final byte[] octets;
        final SipPacket packet;
        final SipListener.Copy copy;
        final int digitsAt;

        Template(byte[] octets, SipPacket packet, SipListener.Copy copy, int digitsAt) {
            this.octets = octets;
            this.packet = packet;
            this.copy = copy;
            this.digitsAt = digitsAt;
            view.wrap(octets, 0, octets.length);
        }
    }

    /** @param arguments a folder on disk, a capture, how many thousand messages and calls (1,000 and 100), rounds (3) */
    public static void main(String[] arguments) throws Exception {
        StoreWriting writing = new StoreWriting(Path.of(arguments[0]), Path.of(arguments[1]));
        int messages = 1000 * (arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1000);
        int calls = 1000 * (arguments.length > 3 ? Integer.parseInt(arguments[3]) : 100);
        int rounds = arguments.length > 4 ? Integer.parseInt(arguments[4]) : 3;
        writing.read();
        PrintStream out = System.out;
        for (int round = 0; round < rounds; round++) { // the first one warms up
            if (messages > 0) {
                out.println(writing.run("messages", messages, writing::giveMessages));
            }
            if (calls > 0) {
                out.println(writing.run("calls", calls, writing::giveCalls));
            }
        }
    }

    private void read() throws IOException {
        SipListener listener = (message, packet, copy) -> {
            byte[] octets = Arrays.copyOfRange(message.octets(), message.offset(), message.offset() + message.length());
            String text = new String(octets, StandardCharsets.ISO_8859_1);
            int at = text.indexOf(message.callId());
            if (at >= 0 && message.callId().length() >= DIGITS) {
                templates.add(new Template(octets, packet, copy, at));
            }
        };
        try (CaptureFileSource file = CaptureFiles.open(capture)) {
            calls = Analysis.run(
                            file,
                            AnalysisOptions.defaults()
                                    .withListener(listener)
                                    .withMedia(MediaOptions.DEFAULT.withIntervals(true)))
                    .calls();
        }
    }

    /** Gives so many to a writer, as fast as it takes them. */
    private interface Giving {
        void give(CallWriter writer, int count) throws InterruptedException;
    }

    private String run(String what, int count, Giving giving) throws Exception {
        Path file = folder.resolve("bench.duckdb");
        Files.deleteIfExists(file);
        Files.deleteIfExists(folder.resolve("bench.duckdb.wal"));
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (CallStore store = CallStore.open(file, StoreSettings.standard())) {
            long beganNs = System.nanoTime();
            long beganCpuNs = system.getProcessCpuTime();
            double ns;
            double cpuNs;
            double writerNs;
            double givenNs;
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long beganGivenNs = threads.getCurrentThreadCpuTime();
            try (CallWriter writer = CallWriter.start(store, WriterSettings.standard())) {
                giving.give(writer, count);
                if (!writer.flush(600_000)) {
                    throw new IllegalStateException(
                            "not written: " + writer.counts().lastFailure());
                }
                ns = System.nanoTime() - beganNs;
                writerNs = writerCpu();
                givenNs = threads.getCurrentThreadCpuTime() - beganGivenNs;
                cpuNs = system.getProcessCpuTime() - beganCpuNs;
                if (writer.counts().lost().sum() > 0) {
                    throw new IllegalStateException(writer.counts().toString());
                }
            }
            return String.format(
                    Locale.ROOT,
                    "%,d %s in %.1f s: %,.0f a second; %.1f us of processor time each (who gives them %.1f, writer %.1f,"
                            + " others of DuckDB and the JVM %.1f), %,.0f a second and core; %,.0f bytes each",
                    count,
                    what,
                    ns / NS,
                    count / (ns / NS),
                    cpuNs / count / 1e3,
                    givenNs / count / 1e3,
                    writerNs / count / 1e3,
                    (cpuNs - givenNs - writerNs) / count / 1e3,
                    count / (cpuNs / NS),
                    (double) Files.size(file) / count);
        }
    }

    private static long writerCpu() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().equals("offhook-store")) {
                return threads.getThreadCpuTime(id);
            }
        }
        return 0;
    }

    private void giveMessages(CallWriter writer, int count) {
        SipListener out = writer.messages("bench");
        for (int i = 0; i < count; i++) {
            Template template = templates.get(i % templates.size());
            int number = i / templates.size();
            for (int digit = 0; digit < DIGITS; digit++) {
                template.octets[template.digitsAt + digit] = (byte) ('0' + number % 10);
                number /= 10;
            }
            SipPacket packet = template.packet;
            PacketContext context = packet.context();
            out.message(
                    template.view,
                    new SipPacket(
                            packet.callIdHash(),
                            new PacketContext(firstNs + i * STEP_NS, i + 1L, context.source(), context.destination()),
                            packet.transport(),
                            packet.ipIdentification(),
                            packet.segment(),
                            packet.offset(),
                            packet.length()),
                    template.copy);
            while ((i & 0xff) == 0 && writer.counts().queuedBytes() > MOST_WAITING_BYTES) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void giveCalls(CallWriter writer, int count) {
        for (int i = 0; i < count; i += CALLS_AT_A_TIME) {
            List<CallReport> given = new ArrayList<>(CALLS_AT_A_TIME);
            for (int n = i; n < Math.min(count, i + CALLS_AT_A_TIME); n++) {
                given.add(another(calls.get(n % calls.size()), n));
            }
            writer.calls(given, "bench");
            while (i - writer.counts().written().calls() > MOST_WAITING_CALLS) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private CallReport another(CallReport call, int number) {
        String suffix = "/" + number;
        long laterNs = firstNs + number * STEP_NS - call.times().firstSeenNs();
        List<CallReport.Dialog> dialogs = new ArrayList<>(call.dialogs().size());
        for (CallReport.Dialog dialog : call.dialogs()) {
            dialogs.add(new CallReport.Dialog(
                    dialog.callId() + suffix,
                    dialog.isCallIdPartial(),
                    dialog.role(),
                    dialog.join(),
                    dialog.hop(),
                    dialog.result(),
                    later(dialog.times(), laterNs)));
        }
        CallReport.Signalling of = call.signalling();
        return new CallReport(
                call.callId() + suffix,
                call.parties(),
                call.result(),
                later(call.times(), laterNs),
                new CallReport.Signalling(
                        of.transport(),
                        of.counts(),
                        of.legs(),
                        of.firstFrame(),
                        new CallReport.Joined(dialogs, List.of(), List.of()),
                        of.headers(),
                        of.cutFrames()),
                call.media(),
                call.diagnosis());
    }

    private static CallReport.Times later(CallReport.Times times, long ns) {
        return new CallReport.Times(
                later(times.firstSeenNs(), ns),
                later(times.invitedNs(), ns),
                later(times.progressNs(), ns),
                later(times.ringingNs(), ns),
                later(times.answeredNs(), ns),
                later(times.acknowledgedNs(), ns),
                later(times.endedNs(), ns),
                times.setUpNs());
    }

    private static long later(long timeNs, long ns) {
        return timeNs == CallReport.NEVER ? timeNs : timeNs + ns;
    }
}
