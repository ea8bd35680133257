package io.offhook.cli.threads;

import io.offhook.monitor.LaneRow;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.monitor.recording.RecordedProcess;
import io.offhook.monitor.recording.RecordingListener;
import io.offhook.monitor.recording.RecordingSummary;
import java.util.List;

/** One of two recordings that are compared. */
final class ComparedRecording implements RecordingListener {
    private final String file;
    private final ThreadTotals totals = new ThreadTotals();
    private final LaneTotals lanes = new LaneTotals();
    private RecordedProcess process = new RecordedProcess(0, "", 0, 1);
    private long firstNs;
    private long lastNs;

    ComparedRecording(String file) {
        this.file = file;
    }

    @Override
    public void process(RecordedProcess recorded) {
        process = recorded;
    }

    @Override
    public void look(RecordedLook look) {
        totals.add(look);
        lanes.add(look.lanes(), look.unpublishedLanes());
    }

    void read(RecordingSummary summary) {
        firstNs = summary.firstNs();
        lastNs = summary.lastNs();
    }

    String file() {
        return file;
    }

    RecordedProcess process() {
        return process;
    }

    long firstNs() {
        return firstNs;
    }

    /** How long it is, in nanoseconds; at least 1. */
    long lengthNs() {
        return Math.max(1, lastNs - firstNs);
    }

    List<ThreadTotals.Total> threads() {
        return totals.all();
    }

    /** The lanes, with what each did in the whole of it. */
    List<LaneRow> lanes() {
        return lanes.rows();
    }
}
