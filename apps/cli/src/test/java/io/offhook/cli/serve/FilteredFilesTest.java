package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.input.FrameFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook serve FILE --filter EXPRESSION}: only the packets that match are read, whenever the files are. */
@Timeout(120)
class FilteredFilesTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    @TempDir
    private Path folder;

    @Test
    void onlyWhatMatchesIsShownAndExported() throws Exception {
        try (ServedSample served = ServedSample.of(new FrameFilter("port 5060")::in, SAMPLE)) {
            Map<String, Object> calls = served.get("/api/v1/calls?fields=summary&sort=firstSeenAt");
            assertThat(calls).containsEntry("total", 12L);
            assertThat(served.get("/api/v1/streams")).containsEntry("total", 0L);
            String id = Json.text(Json.objects(calls.get("calls")).getFirst(), "id");
            Path exported = Files.write(
                    folder.resolve("call.pcapng"),
                    served.bytes("/api/v1/calls/" + id + "/packets").body());
            Map<String, Object> call = Json.objects(
                            Json.object(Offhook.done("calls", exported.toString(), "--format", "json")
                                            .out())
                                    .get("calls"))
                    .getFirst();
            assertThat((List<?>) call.get("streams")).isEmpty();
            assertThat(Json.objects(call.get("dialogs"))).isNotEmpty();
        }
    }

    @Test
    void aFilterThatIsNotUnderstoodOrHasNothingToFilterIsRefusedAtOnce() {
        Offhook.Result wrong = Offhook.run("serve", SAMPLE, "--listen", "127.0.0.1:0", "--filter", "udp prot 5060");
        assertThat(wrong.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(wrong.err()).contains("--filter").contains("prot");
        Offhook.Result stored = Offhook.run(
                "serve", "--db", folder.resolve("x.duckdb").toString(), "--listen", "127.0.0.1:0", "--filter", "udp");
        assertThat(stored.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(stored.err()).contains("--filter is for packets of -i and of FILE");
    }
}
