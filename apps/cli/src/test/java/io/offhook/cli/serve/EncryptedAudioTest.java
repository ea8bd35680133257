package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted calls are heard on the page with the keys that their SDP shows. */
@Timeout(60)
class EncryptedAudioTest {
    private static final String SDES = "../../voip/decrypt/src/test/resources/decrypt/sdes.pcap";

    /** Written with libsrtp; the caller presses 1 2 # by telephone-events. */
    private static final String DTMF = "../../voip/decrypt/src/test/resources/decrypt/dtmf.pcap";

    @TempDir
    private Path folder;

    private static List<Object> keys(Map<String, Object> call) {
        return Json.objects(call.get("keys")).stream()
                .map(key -> key.get("side") + " " + key.get("key"))
                .map(Object.class::cast)
                .toList();
    }

    @Test
    void hasTheKeyPressesInsideSrtp() throws Exception {
        try (ServedSample served = ServedSample.of(DTMF)) {
            Map<String, Object> call =
                    Json.objects(served.get("/api/v1/calls").get("calls")).getFirst();
            assertThat(keys(call)).containsExactly("caller 1", "caller 2", "caller #");
        }
    }

    @Test
    void commandsReadKeyPressesInsideSrtpWhereKeysAreGiven() {
        String[] closed = {"calls", DTMF, "--format", "json"};
        String[] opened = {"calls", DTMF, "--format", "json", "--srtp-keys", "/dev/null"};
        assertThat(keys(Json.objects(Json.object(Offhook.done(closed).out()).get("calls"))
                        .getFirst()))
                .isEmpty();
        assertThat(keys(Json.objects(Json.object(Offhook.done(opened).out()).get("calls"))
                        .getFirst()))
                .containsExactly("caller 1", "caller 2", "caller #");
        assertThat(Offhook.done("call", "1", DTMF).out()).doesNotContain("DTMF");
        assertThat(Offhook.done("call", "1", DTMF, "--srtp-keys", "/dev/null").out())
                .contains("DTMF 1 2 #");
        assertThat(Offhook.done("streams", DTMF, "--srtp-keys", "/dev/null").out())
                .contains("12#");
    }

    @Test
    void isWhatTheCommandWrites() throws Exception {
        try (ServedSample served = ServedSample.of(SDES)) {
            Map<String, Object> call =
                    Json.objects(served.get("/api/v1/calls").get("calls")).getFirst();
            Path expected = folder.resolve("call.wav");
            Offhook.run("audio", Json.text(call, "callId"), SDES, "--allow-audio", "-o", expected.toString());
            HttpResponse<byte[]> audio = served.bytes("/api/v1/calls/" + call.get("id") + "/audio");
            assertThat(audio.statusCode()).isEqualTo(200);
            assertThat(audio.body()).isEqualTo(Files.readAllBytes(expected)).hasSizeGreaterThan(10_000);
        }
    }
}
