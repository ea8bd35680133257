package io.offhook.cli.screen;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Calls that come in as a test wants them to, as those of a file that is still read. */
final class GrowingCalls implements CallSource {
    private State state;
    private boolean isReading = true;

    /** @param calls the first ones */
    GrowingCalls(AnalysisResult of, List<CallReport> calls) {
        state = new State(1, with(of, calls), 0, "reading, 3 % of 2.6 GB", "", false, "");
    }

    /** What a file has. */
    static AnalysisResult read(String file, AnalysisOptions options) {
        try (PacketSource source = CaptureFiles.open(file)) {
            return Analysis.run(source, options.withLanes(1));
        }
    }

    private static AnalysisResult with(AnalysisResult result, List<CallReport> calls) {
        return new AnalysisResult(
                result.capture(), List.copyOf(calls), result.streams(), result.registrations(), result.defect());
    }

    /** From now on these are the calls, and so much is read. */
    void show(List<CallReport> calls, String part) {
        state = new State(state.revision() + 1, with(state.result(), calls), 0, "reading, " + part, "", false, "");
    }

    /** All is read. */
    void end(List<CallReport> calls) {
        isReading = false;
        state = new State(state.revision() + 1, with(state.result(), calls), 0, "", "", false, "");
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean isReading() {
        return isReading;
    }

    @Override
    public String names() {
        return "big.pcap";
    }

    @Override
    public CompletableFuture<CallDetail> detail(List<CallReport> calls) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<String> save(List<CallReport> calls, Path file) {
        return new CompletableFuture<>();
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public void close() {}
}
