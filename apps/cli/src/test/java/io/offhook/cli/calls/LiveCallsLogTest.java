package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Times;
import io.offhook.live.LiveCounts;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
