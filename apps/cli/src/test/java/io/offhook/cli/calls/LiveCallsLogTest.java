package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.join.JoinOptions;
import io.offhook.cli.Captures;
import io.offhook.cli.Offhook;
import io.offhook.live.LiveCounts;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Times;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveCallsLogTest {
    private static final long NS = 1_700_000_000_125_000_000L;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LiveCallsLog log =
            new LiveCallsLog(new Offhook().terminal(out, OutputStream.nullOutputStream()), new Times(ZoneOffset.UTC));

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void reportsNewDrops() throws IOException {
        AnalysisResult standing;
        try (PacketSource source = CaptureFiles.open("../../samples/calls.pcap")) {
            standing = Analysis.run(source, AnalysisOptions.defaults());
        }
        log.show(standing, List.of(), new LiveCounts(10, 10, 0, 0, 0, 0), NS);
        assertThat(said()).isEmpty();
        log.show(standing, List.of(), new LiveCounts(20, 13, 0, 5, 2, 1), NS);
        String first = "22:13:20.125 dropped by kernel 2, ring 5, budget 0\n";
        assertThat(said()).isEqualTo(first);
        log.show(standing, List.of(), new LiveCounts(30, 23, 0, 5, 2, 1), NS);
        assertThat(said()).isEqualTo(first);
        log.show(standing, List.of(), new LiveCounts(40, 24, 0, 14, 2, 2), NS);
        assertThat(said()).isEqualTo(first + "22:13:20.125 dropped by kernel 2, ring 14, budget 0\n");
    }

    private static AnalysisResult analysed(String capture, boolean joins) {
        JoinOptions options = JoinOptions.DEFAULT.withJoins(joins);
        try (PacketSource source = CaptureFiles.open(capture)) {
            return Analysis.run(source, AnalysisOptions.defaults().withJoins(options));
        }
    }

    /** As a look at a running capture has them: each leg with the dialogs of its call. */
    private static CallReport withDialogs(CallReport leg, CallReport.Joined joined) {
        CallReport.Signalling own = leg.signalling();
        return new CallReport(
                leg.callId(),
                leg.parties(),
                leg.result(),
                leg.times(),
                new CallReport.Signalling(
                        own.transport(), own.counts(), own.legs(), own.firstFrame(), joined, own.headers(), List.of()),
                leg.media(),
                leg.diagnosis());
    }

    @Test
    void namesTheLegBefore(@TempDir Path folder) throws IOException {
        String capture = Captures.scenario("legs-named-by-a-header", folder);
        CallReport.Joined joined = analysed(capture, true).calls().getFirst().joined();
        AnalysisResult standing = analysed(capture, false);
        List<CallReport> legs =
                standing.calls().stream().map(leg -> withDialogs(leg, joined)).toList();
        log.show(standing, legs, LiveCounts.NONE, NS);

        assertThat(said().lines())
                .satisfiesExactly(
                        line -> assertThat(line).doesNotContain("leg of"),
                        line -> assertThat(line).endsWith(", leg of in-1@phone"));
    }
}
