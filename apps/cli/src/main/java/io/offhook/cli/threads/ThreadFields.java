package io.offhook.cli.threads;

import io.offhook.cli.terminal.Terminal;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.Processes;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordingEnd;
import io.offhook.monitor.recording.RecordingSummary;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The threads of a process, for programs: one object when the watch is over. */
final class ThreadFields {
    private static final double NS_A_SECOND = 1e9;
    private static final int DECIMALS = 4;
    private static final int MOST_METHODS = 10;

    private ThreadFields() {}

    /** How it was watched. */
    record Watched(long atNs, long elapsedNs, long everyNs, double ownShare, boolean isEnded, int unwatched) {}

    /** Of a JVM: what could not be watched, the profiles of threads by native ids, null if none were asked for, and locks over time. */
    record InJava(
            boolean isJvm, List<String> notes, @Nullable Map<Integer, ThreadProfile> profiles, LockTotals locks) {}

    static void json(
            Processes.Named process,
            ThreadHistory history,
            List<LaneRow> lanes,
            Watched watched,
            InJava java,
            @Nullable RecordingSummary recording,
            Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object()
                    .field("pid", process.pid())
                    .field("command", process.commandLine())
                    .time("at", watched.atNs());
            json.field("seconds", watched.elapsedNs() / NS_A_SECOND, 3)
                    .field("every", watched.everyNs() / NS_A_SECOND, 3)
                    .field("ended", watched.isEnded())
                    .field("ownCpu", watched.ownShare(), DECIMALS)
                    .field("endedThreads", history.ended())
                    .field("forgottenThreads", history.forgotten())
                    .field("unwatchedThreads", watched.unwatched());
            if (recording != null) {
                recording(json, recording);
            }
            json.array("threads");
            for (ThreadHistory.Entry entry : history.entries()) {
                json.line();
                write(json, entry, java.profiles());
            }
            json.line().end();
            LaneFields.write(json, lanes);
            JavaFields.write(json, java.isJvm(), java.notes(), history.inJava());
            JavaFields.contention(json, java.locks());
            json.end();
        }
    }

    private static void recording(JsonFields json, RecordingSummary recording) {
        RecordingEnd end = recording.extent().end();
        json.object("recording")
                .field("looks", recording.looks())
                .field("end", end == null ? null : end == RecordingEnd.STOPPED ? "stopped" : "processEnded")
                .field("whole", recording.extent().isWhole())
                .array("thinned");
        for (RecordingSummary.Thinned thinned : recording.thinned()) {
            json.object().time("from", thinned.fromNs());
            json.time("to", thinned.toNs());
            json.field("meanOf", thinned.meanOf()).end();
        }
        json.end().field("forgottenLooks", recording.gone().looks()).end();
    }

    private static void write(
            JsonFields json, ThreadHistory.Entry entry, @Nullable Map<Integer, ThreadProfile> profiles) {
        ThreadUse use = entry.row.total();
        json.object()
                .field("name", entry.name())
                .field("nativeId", entry.row.id())
                .field("ended", entry.row.isEnded());
        use(json, use);
        states(json, entry);
        json.field("processor", entry.row.processor())
                .field("voluntarySwitches", use.voluntarySwitches())
                .field("involuntarySwitches", use.involuntarySwitches());
        if (use.migrations() < 0) {
            json.nullField("migrations");
        } else {
            json.field("migrations", use.migrations());
        }
        if (entry.cycles != null) {
            json.field("cycles", entry.cycles.cycles());
            if (Double.isNaN(entry.cycles.gigahertz())) {
                json.nullField("gigahertz");
            } else {
                json.field("gigahertz", entry.cycles.gigahertz(), 3);
            }
        }
        if (profiles != null) {
            profile(json, profiles.getOrDefault(entry.row.id(), ThreadProfile.NOTHING));
        }
        json.array("samples");
        for (ThreadHistory.Sample sample : entry.samples) {
            json.object().time("at", sample.atNs());
            json.field("seconds", sample.use().elapsedNs() / NS_A_SECOND, 3);
            use(json, sample.use());
            json.field("processor", sample.processor());
            JavaFields.states(json, sample.states());
            json.end();
        }
        json.end().end();
    }

    private static void profile(JsonFields json, ThreadProfile profile) {
        json.field("methodSamples", profile.samples()).array("methods");
        for (ThreadProfile.HotMethod method :
                profile.methods().stream().limit(MOST_METHODS).toList()) {
            json.object()
                    .field("name", method.name())
                    .field("samples", method.samples())
                    .field("share", profile.share(method), DECIMALS)
                    .end();
        }
        json.end();
        if (Double.isNaN(profile.allocationRate())) {
            json.nullField("allocatedBytesPerSecond");
        } else {
            json.field("allocatedBytesPerSecond", profile.allocationRate(), 0);
        }
    }

    /** Those of Java where they are known, else those of the kernel. */
    private static void states(JsonFields json, ThreadHistory.Entry entry) {
        if (entry.java.total().elapsedNs() > 0) {
            JavaFields.states(json, entry.java.total());
            return;
        }
        ThreadUse use = entry.row.total();
        json.object("states").field("running", use.cpu(), DECIMALS);
        double waited = use.waited();
        if (Double.isNaN(waited)) {
            json.nullField("runnable");
        } else {
            json.field("runnable", waited, DECIMALS);
        }
        json.field("asleep", Math.max(0, 1 - use.cpu() - (Double.isNaN(waited) ? 0 : waited)), DECIMALS)
                .end();
    }

    private static void use(JsonFields json, ThreadUse use) {
        json.field("cpu", use.cpu(), DECIMALS)
                .field("user", use.user(), DECIMALS)
                .field("system", use.system(), DECIMALS);
        if (use.waitedNs() < 0) {
            json.nullField("runQueue");
        } else {
            json.field("runQueue", use.waited(), DECIMALS);
        }
    }
}
