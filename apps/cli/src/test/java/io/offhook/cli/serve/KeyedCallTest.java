package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that a user adds for the view of a call. */
@Timeout(120)
class KeyedCallTest {
    private static final Path SAMPLES = Path.of("../../voip/decrypt/src/test/resources/decrypt");
    private static final String WRONG_SRTP =
            "any AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj";

    @TempDir
    private Path folder;

    private static String path(String name) {
        return SAMPLES.resolve(name).toString();
    }

    private static byte[] keys(String name) throws Exception {
        return Files.readAllBytes(SAMPLES.resolve(name));
    }

    /** A view that was made, by the browser that made it. */
    private record View(ServedSample served, String cookie, String in) {
        static View of(ServedSample served, String call, byte[] keys) throws Exception {
            HttpResponse<String> taken = served.post("/api/v1/calls/" + call + "/keys", keys);
            assertThat(taken.statusCode()).as(taken.body()).isEqualTo(202);
            String cookie = taken.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("; HttpOnly; SameSite=Strict");
            return new View(
                    served, cookie.substring(0, cookie.indexOf(';')), Json.text(Json.object(taken.body()), "in"));
        }

        HttpResponse<String> get(String path) throws Exception {
            return served.response(path, cookie);
        }

        /** What is said of it when it was read. */
        Map<String, Object> done() throws Exception {
            while (true) {
                List<Map<String, Object>> views =
                        Json.objects(Json.object(get("/api/v1/keys").body()).get("views"));
                assertThat(views).hasSize(1);
                if (!"reading".equals(views.getFirst().get("state"))) {
                    return views.getFirst();
                }
                Thread.sleep(20);
            }
        }

        List<String> notes() throws Exception {
            Map<String, Object> done = done();
            assertThat(done).containsEntry("state", "ready");
            return ((List<?>) Objects.requireNonNull(done.get("notes")))
                    .stream().map(String::valueOf).toList();
        }
    }

    private static String call(ServedSample served) throws Exception {
        return Json.text(
                Json.objects(served.get("/api/v1/calls?fields=summary").get("calls"))
                        .getFirst(),
                "id");
    }

    @Test
    void aKeyLogLetsItsUserHearTheCallAndNobodyElse() throws Exception {
        try (ServedSample served = ServedSample.of(path("dtls.pcap"))) {
            String call = call(served);
            assertThat(served.response("/api/v1/calls/" + call + "/audio").statusCode())
                    .isEqualTo(404);
            Map<String, Object> silent = served.get("/api/v1/calls/" + call + "/waveform");
            assertThat(silent).containsEntry("channels", List.of()).containsEntry("marks", List.of());
            assertThat(String.valueOf(silent.get("notes")))
                    .contains("no audio that can be played", "encrypted; no key");
            View view = View.of(served, call, keys("dtls.keys"));
            assertThat(view.notes())
                    .hasSize(2)
                    .allMatch(note -> note.matches("SRTP stream .*: ([1-9][0-9]*) of \\1 packets opened"));
            assertThat(view.done()).containsEntry("opened", true);
            String opened = "/api/v1/calls/" + view.done().get("call");
            assertThat(view.get(opened + "/audio?in=" + view.in).statusCode()).isEqualTo(200);
            assertThat(view.get(opened + "/packets?in=" + view.in).statusCode()).isEqualTo(200);
            assertThat(view.get(opened + "/audio").statusCode())
                    .as("without the view")
                    .isEqualTo(404);

            String other = "offhook-keys=00000000000000000000000000000000";
            assertThat(served.response(opened + "?in=" + view.in, other).statusCode())
                    .isEqualTo(404);
            assertThat(served.response(opened + "?in=" + view.in).statusCode()).isEqualTo(404);
            assertThat(served.response("/api/v1/keys").body()).contains("\"views\":[]");
            assertThat(served.delete("/api/v1/keys/" + view.in, other)).isEqualTo(404);
            assertThat(served.delete("/api/v1/keys/" + view.in, view.cookie)).isEqualTo(204);
            assertThat(view.get(opened + "?in=" + view.in).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void wrongKeysOfSrtpAreSaidInWords() throws Exception {
        try (ServedSample served = ServedSample.of(path("dtls.pcap"))) {
            View view = View.of(served, call(served), WRONG_SRTP.getBytes(StandardCharsets.UTF_8));
            assertThat(view.notes())
                    .hasSize(2)
                    .allMatch(note ->
                            note.matches("SRTP stream .*: its keys are wrong, they open none of its .* packets"));
            assertThat(view.done()).containsEntry("opened", false);
            HttpResponse<String> waveform =
                    view.get("/api/v1/calls/" + view.done().get("call") + "/waveform?in=" + view.in);
            assertThat(waveform.statusCode()).isEqualTo(200);
            assertThat(waveform.body()).contains("the keys are wrong");
        }
    }

    @Test
    void theLegInsideTlsIsOnTheLadder() throws Exception {
        try (ServedSample served = ServedSample.of(
                ProxiedCapture.write(SAMPLES.resolve("t13a.pcap"), folder).toString())) {
            String call = call(served);
            assertThat(messages(served.response("/api/v1/calls/" + call + "/messages")))
                    .hasSize(2)
                    .allMatch(message -> "UDP".equals(message.get("transport")));
            View view = View.of(served, call, keys("t13a.keys"));
            assertThat(view.notes()).containsExactly("SIP in TLS: 3 messages of this call read");
            assertThat(view.done()).containsEntry("opened", true);
            String opened = "/api/v1/calls/" + view.done().get("call");
            List<Map<String, Object>> messages = messages(view.get(opened + "/messages?in=" + view.in));
            assertThat(messages).hasSize(5).allMatch(message -> "call0@test".equals(message.get("callId")));
            assertThat(messages.stream().filter(message -> "TLS".equals(message.get("transport"))))
                    .hasSize(3);
            assertThat(view.get("/api/v1/calls?in=" + view.in).body()).doesNotContain("call1@test\",\"from");
            assertThat(messages(served.response("/api/v1/calls/" + call + "/messages")))
                    .hasSize(2);
        }
    }

    @Test
    void wrongSecretsOfTlsAreSaidInWords() throws Exception {
        String wrong =
                new String(keys("t13a.keys"), StandardCharsets.US_ASCII).replaceAll("(?m)[0-9a-f]{8}$", "00000000");
        try (ServedSample served = ServedSample.of(
                ProxiedCapture.write(SAMPLES.resolve("t13a.pcap"), folder).toString())) {
            View view = View.of(served, call(served), wrong.getBytes(StandardCharsets.US_ASCII));
            assertThat(view.notes())
                    .containsExactly("SIP in TLS: the secrets in the key log are wrong for 2 directions of connections,"
                            + " they do not open the first record");
        }
    }

    @Test
    void aKeyLogOfOtherSessionsIsSaidToOpenNothing() throws Exception {
        try (ServedSample served = ServedSample.of(
                ProxiedCapture.write(SAMPLES.resolve("t13a.pcap"), folder).toString())) {
            View view = View.of(served, call(served), keys("t13b.keys"));
            assertThat(view.notes())
                    .containsExactly(
                            "SIP in TLS: nothing of this call is in the connections that the 1 session of the key"
                                    + " log opens");
        }
    }

    @Test
    void whatIsNoKeyIsRefusedWithoutBeingRepeated() throws Exception {
        try (ServedSample served = ServedSample.of(path("dtls.pcap"))) {
            String path = "/api/v1/calls/" + call(served) + "/keys";
            HttpResponse<String> nothing = served.post(path, "no key at all\n".getBytes(StandardCharsets.UTF_8));
            assertThat(nothing.statusCode()).isEqualTo(400);
            assertThat(nothing.body()).contains("there is no key in it");
            HttpResponse<String> broken = served.post(
                    path, "# mine\r\nany AES_CM_128_HMAC_SHA1_80 inline:secret\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(broken.statusCode()).isEqualTo(400);
            assertThat(broken.body()).contains("line 2: ").doesNotContain("inline:secret");
            assertThat(served.post(path, new byte[(4 << 20) + 1]).statusCode()).isEqualTo(413);
            assertThat(served.post("/api/v1/calls/1/keys", keys("dtls.keys")).statusCode())
                    .isEqualTo(404);
            assertThat(served.postFrom("http://elsewhere.example", path, keys("dtls.keys")))
                    .isEqualTo(403);
        }
    }

    private static List<Map<String, Object>> messages(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.objects(Json.object(response.body()).get("messages"));
    }
}
