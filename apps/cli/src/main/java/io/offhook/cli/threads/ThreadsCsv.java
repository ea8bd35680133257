package io.offhook.cli.threads;

import io.offhook.cli.terminal.Terminal;
import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadProfile;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The threads of a process as CSV: a line a thread and look, as they come. */
public final class ThreadsCsv {
    private static final String TEXT = "VARCHAR";
    private static final String NUMBER = "DOUBLE";
    private static final String COUNT = "BIGINT";

    /** The columns. */
    public static final List<String> COLUMNS = List.of(
            ("at nativeId name ended cpu user system runQueue mean processor voluntarySwitches involuntarySwitches migrations"
                            + " state running sleeping wait park monitor seconds waitsFor lockOwner methodSamples method"
                            + " allocatedBytesPerSecond lane duty framesPerSecond frames stalls drops queue queueDepth"
                            + " queueMost queueRoom")
                    .split(" ", -1));

    /** Of these, those of a thread that is a lane. */
    private static final List<String> LANE_COLUMNS = COLUMNS.subList(COLUMNS.indexOf("lane"), COLUMNS.size());

    /** The types in DuckDB of columns that may have no value at all, or only such as seem to be of another type. */
    static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("name", TEXT),
            Map.entry("state", TEXT),
            Map.entry("runQueue", NUMBER),
            Map.entry("migrations", COUNT),
            Map.entry("running", NUMBER),
            Map.entry("sleeping", NUMBER),
            Map.entry("wait", NUMBER),
            Map.entry("park", NUMBER),
            Map.entry("monitor", NUMBER),
            Map.entry("waitsFor", TEXT),
            Map.entry("lockOwner", TEXT),
            Map.entry("methodSamples", COUNT),
            Map.entry("method", TEXT),
            Map.entry("allocatedBytesPerSecond", NUMBER),
            Map.entry("lane", TEXT),
            Map.entry("duty", NUMBER),
            Map.entry("framesPerSecond", NUMBER),
            Map.entry("frames", COUNT),
            Map.entry("stalls", COUNT),
            Map.entry("drops", COUNT),
            Map.entry("queue", TEXT),
            Map.entry("queueDepth", COUNT),
            Map.entry("queueMost", COUNT),
            Map.entry("queueRoom", COUNT));

    private static final int DECIMALS = 4;
    private static final double NS_A_SECOND = 1e9;

    private final CsvFields csv;

    ThreadsCsv(Terminal terminal) throws IOException {
        csv = terminal.csv(COLUMNS);
    }

    void write(RecordedLook look, JavaHistory java) throws IOException {
        LookIndex index = new LookIndex(look);
        for (ThreadRow row : look.rows()) {
            fields(csv, look.atNs(), row, java);
            details(csv, row.id(), index);
            csv.endRecord();
        }
    }

    /** The fields of a thread at a look. */
    static void fields(FieldWriter to, long atNs, ThreadRow row, JavaHistory java) {
        ThreadUse last = row.last();
        JavaHistory.Entry entry = java.of(row.id());
        String name = entry == null ? null : entry.name();
        to.time("at", atNs);
        to.field("nativeId", row.id())
                .field("name", name == null ? row.name() : name)
                .field("ended", row.isEnded())
                .field("cpu", last.cpu(), DECIMALS)
                .field("user", last.user(), DECIMALS)
                .field("system", last.system(), DECIMALS)
                .field("runQueue", last.waited(), DECIMALS)
                .field("mean", row.mean().cpu(), DECIMALS)
                .field("processor", row.processor())
                .field("voluntarySwitches", last.voluntarySwitches())
                .field("involuntarySwitches", last.involuntarySwitches());
        if (last.migrations() < 0) {
            to.nullField("migrations");
        } else {
            to.field("migrations", last.migrations());
        }
        to.field("state", ThreadsTable.state(row.state()));
        StateTimes states = entry == null ? StateTimes.NONE : entry.last();
        for (JavaState state : JavaState.values()) {
            to.field(JavaFields.name(state), states.share(state), DECIMALS);
        }
        to.field("seconds", last.elapsedNs() / NS_A_SECOND, 3);
    }

    /** The fields of what is known of a thread beside what it does; null where it has none. */
    static void details(FieldWriter to, int id, LookIndex index) {
        JavaLock lock = index.lock(id);
        to.field("waitsFor", lock == null ? null : lock.name()).field("lockOwner", lock == null ? null : lock.owner());
        ThreadProfile profile = index.profile(id);
        if (profile.samples() == 0) {
            to.nullField("methodSamples").nullField("method");
        } else {
            to.field("methodSamples", profile.samples())
                    .field("method", profile.methods().getFirst().name());
        }
        to.field("allocatedBytesPerSecond", profile.allocationRate(), 0);
        LaneRow lane = index.lane(id);
        if (lane == null) {
            LANE_COLUMNS.forEach(to::nullField);
        } else {
            lane(to, lane);
        }
    }

    private static void lane(FieldWriter to, LaneRow lane) {
        LaneReport.Queue queue = lane.report().queue();
        to.field("lane", lane.report().name())
                .field("duty", lane.report().isMetered() ? lane.last().duty() : Double.NaN, DECIMALS)
                .field("framesPerSecond", lane.last().frameRate(), 1)
                .field("frames", lane.last().frames())
                .field("stalls", lane.last().stalls())
                .field("drops", lane.last().drops());
        if (queue == null) {
            LANE_COLUMNS.stream().filter(name -> name.startsWith("queue")).forEach(to::nullField);
        } else {
            to.field("queue", queue.what())
                    .field("queueDepth", queue.depth())
                    .field("queueMost", queue.most())
                    .field("queueRoom", queue.room());
        }
    }
}
