package io.offhook.cli.threads;

import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.report.fields.JsonFields;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The lanes that a process publishes, for programs. */
final class LaneFields {
    private static final int DECIMALS = 4;

    private LaneFields() {}

    static void write(JsonFields json, List<LaneRow> lanes) {
        json.array("lanes");
        for (LaneRow lane : lanes) {
            json.line();
            write(json, lane);
        }
        json.end();
    }

    private static void write(JsonFields json, LaneRow lane) {
        LaneReport report = lane.report();
        LaneUse total = lane.total();
        json.object()
                .field("name", report.name())
                .field("nativeId", report.nativeId())
                .field("state", report.state().name().toLowerCase(Locale.ROOT))
                .milliseconds("stateMs", report.stateNs());
        processor(json, "pinnedTo", report.pinnedTo());
        processor(json, "processor", lane.processor());
        json.array("processors");
        for (Map.Entry<Integer, Long> seen : lane.seenOn().entrySet()) {
            json.object()
                    .field("processor", seen.getKey())
                    .field("looks", seen.getValue())
                    .end();
        }
        json.end();
        if (report.isMetered() && !Double.isNaN(total.duty())) {
            json.field("duty", total.duty(), DECIMALS);
        } else {
            json.nullField("duty");
        }
        json.field("framesPerSecond", total.frameRate(), 1)
                .field("frames", report.frames())
                .field("rounds", report.rounds())
                .field("stalls", report.stalls())
                .milliseconds("longestStallMs", report.longestStallNs())
                .field("drops", report.drops());
        LaneReport.Queue queue = report.queue();
        if (queue == null) {
            json.nullField("queue");
        } else {
            json.object("queue")
                    .field("of", queue.what())
                    .field("depth", queue.depth())
                    .field("most", queue.most())
                    .field("room", queue.room())
                    .end();
        }
        json.end();
    }

    private static void processor(JsonFields json, String name, int processor) {
        if (processor < 0) {
            json.nullField(name);
        } else {
            json.field(name, processor);
        }
    }
}
