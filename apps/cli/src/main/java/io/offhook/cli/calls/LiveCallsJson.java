package io.offhook.cli.calls;

import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.calls.CallReport;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.input.LiveFields;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.report.CallFields;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Live calls as JSON lines: a call each time it changes, the capture each time a counter grows. */
final class LiveCallsJson implements LiveCallsView {
    private final Terminal terminal;
    private final LiveSource source;
    private List<Long> reported = List.of();

    LiveCallsJson(Terminal terminal, LiveSource source) {
        this.terminal = terminal;
        this.source = source;
    }

    @Override
    public void show(AnalysisResult standing, List<CallReport> changed, LiveCounts counts, long nowNs)
            throws IOException {
        OutputStream out = terminal.bytes();
        for (CallReport call : changed) {
            line(call, out);
        }
        List<Long> grown = counters(standing.capture(), counts);
        if (!grown.equals(reported)) {
            reported = grown;
            capture(standing.capture(), List.of());
        }
        terminal.flush();
    }

    /** The counters of drops and faults, drops first. */
    private static List<Long> counters(CaptureReport capture, LiveCounts counts) {
        List<Long> counters = new ArrayList<>();
        counters.add(counts.ringDrops());
        counters.add(counts.kernelDrops());
        capture.counters().forEach(counter -> counters.add(counter.count()));
        return counters;
    }

    private void line(CallReport call, OutputStream out) {
        try (JsonFields json = new JsonFields(out, terminal.timeForm())) {
            json.object();
            CallFields.writeJson(json, call);
            json.end();
        }
    }

    /** Writes a line with the capture so far, and the placement of lanes if requested. */
    void capture(CaptureReport capture, List<LanePlacement.Lane> lanes) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().object("capture");
            LiveFields.write(json, capture, source);
            json.end();
            if (!lanes.isEmpty()) {
                LaneOptions.write(json, lanes);
            }
            json.end();
        }
    }
}
