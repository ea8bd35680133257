package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the API says of a capture is what the commands say of it. */
@Timeout(120)
class ApiTest {
    private static final String SAMPLE = "../../samples/calls.pcap";
    private static final String TLS = "../../voip/decrypt/src/test/resources/decrypt/t13a.pcap";
    private static final String LOSSY = "../../samples/lossy.pcap";

    private static ServedSample served;

    @BeforeAll
    static void serve() throws Exception {
        served = ServedSample.of(SAMPLE);
    }

    @AfterAll
    static void end() throws Exception {
        served.close();
    }

    private static List<Map<String, Object>> list(Map<String, Object> document, String name) {
        return Json.objects(document.get(name));
    }

    private static List<Map<String, Object>> calls(String query) throws Exception {
        return list(served.get("/api/v1/calls?limit=1000" + query), "calls");
    }

    private static List<Map<String, Object>> command(String... arguments) {
        return list(Json.object(Offhook.done(arguments).out()), arguments[0]);
    }

    private static List<Object> values(List<Map<String, Object>> rows, String field) {
        List<Object> values = new ArrayList<>();
        rows.forEach(row -> values.add(row.get(field)));
        return values;
    }

    @Test
    void hasEachCallAsTheCommandPrintsIt() throws Exception {
        List<Map<String, Object>> expected = command("calls", SAMPLE, "--intervals", "--format", "json");
        List<Map<String, Object>> found = new ArrayList<>();
        for (Map<String, Object> call : calls("&sort=firstSeenAt")) {
            Map<String, Object> known = new LinkedHashMap<>(call);
            assertThat(known.remove("id")).isNotNull();
            assertThat(known.remove("running")).isEqualTo(false);
            assertThat(known.remove("origin")).isEqualTo(SAMPLE);
            found.add(known);
        }
        assertThat(found).isEqualTo(expected);
        String id = (String) calls("&sort=firstSeenAt").getFirst().get("id");
        assertThat(served.get("/api/v1/calls/" + id))
                .containsAllEntriesOf(expected.getFirst())
                .containsEntry("audioMissing", null);
    }

    @Test
    void hasEachMessageAsTheCommandPrintsItWithItsText() throws Exception {
        Map<String, Object> call = calls("&sort=firstSeenAt").getFirst();
        List<Map<String, Object>> messages =
                list(served.get("/api/v1/calls/" + call.get("id") + "/messages"), "messages");
        List<Map<String, Object>> expected = new ArrayList<>();
        for (Map<String, Object> message : command("messages", SAMPLE, "--format", "json")) {
            if (Json.text(call, "callId").equals(message.get("callId"))) {
                message.remove("media");
                expected.add(message);
            }
        }
        for (Map<String, Object> message : messages) {
            String text = Json.text(message, "text");
            message.remove("text");
            assertThat((long) text.getBytes(StandardCharsets.UTF_8).length).isEqualTo(message.get("length"));
        }
        assertThat(messages).isEqualTo(expected).hasSize(7);
    }

    @Test
    void filtersByEachParameter() throws Exception {
        List<Map<String, Object>> all = calls("&fields=summary");
        assertThat(all).hasSize(12);
        assertThat(calls("&fields=summary&outcome=busy,declined"))
                .allSatisfy(call -> assertThat(call.get("outcome")).isIn("busy", "declined"));
        assertThat(calls("&bad=true")).hasSize(2);
        assertThat(calls("&failed=true&fields=summary"))
                .isNotEmpty()
                .noneMatch(call -> "answered".equals(call.get("outcome")));
        assertThat(calls("&number=bob")).isNotEmpty().hasSizeLessThan(12);
        assertThat(calls("&text=ALICE")).isNotEmpty().hasSizeLessThan(12);
        assertThat(calls("&text=al%25ce")).isEmpty();
        assertThat(calls("&address=127.0.1.11:")).isNotEmpty().hasSizeLessThan(12);
        assertThat(calls("&codec=PCMU")).isNotEmpty().allMatch(call -> "PCMU".equals(call.get("codec")));
        assertThat(calls("&mos-below=4")).hasSize(1);
        assertThat(calls("&problem=busy")).hasSize(1);
        assertThat(calls("&running=true")).isEmpty();
        String fifth = (String) calls("&sort=firstSeenAt").get(5).get("firstSeenAt");
        assertThat(calls("&from=" + fifth)).hasSize(7);
        assertThat(calls("&to=" + fifth)).hasSize(5);
    }

    @Test
    void sortsAndPagesWithoutOverlap() throws Exception {
        List<Object> byMos = values(calls("&fields=summary&sort=-worstMos"), "worstMos");
        byMos.removeIf(mos -> mos == null);
        assertThat(byMos).isSortedAccordingTo(Comparator.comparingDouble(mos -> -((Number) mos).doubleValue()));
        List<Object> paged = new ArrayList<>();
        for (int offset = 0; offset < 15; offset += 5) {
            Map<String, Object> page = served.get("/api/v1/calls?fields=summary&sort=outcome&limit=5&offset=" + offset);
            assertThat(page).containsEntry("total", 12L);
            paged.addAll(values(list(page, "calls"), "id"));
        }
        assertThat(paged)
                .isEqualTo(values(calls("&fields=summary&sort=outcome"), "id"))
                .doesNotHaveDuplicates();
    }

    @Test
    void countsAsTheCommandDoes() throws Exception {
        Map<String, Object> totals = served.get("/api/v1/totals?buckets=7");
        Map<String, Object> stats = Json.asObject(
                Json.object(Offhook.done("stats", SAMPLE, "--format", "json").out())
                        .get("statistics"));
        for (String field : List.of("attempts", "answered", "asrPercent", "nerPercent")) {
            assertThat(totals.get(field)).as(field).isEqualTo(stats.get(field));
        }
        List<Map<String, Object>> series = list(totals, "series");
        assertThat(series).hasSize(7);
        assertThat(values(series, "attempts").stream()
                        .mapToLong(n -> n == null ? 0 : (Long) n)
                        .sum())
                .isEqualTo((Long) totals.get("attempts"));
        Map<String, Object> statistics = served.get("/api/v1/statistics");
        assertThat(values(list(statistics, "trunks"), "address")).contains("127.0.1.11", "127.0.1.12");
        assertThat(list(statistics, "mos").stream()
                        .mapToLong(bin -> (Long) bin.get("count"))
                        .sum())
                .isEqualTo(14);
        assertThat(values(list(statistics, "methods"), "name")).contains("INVITE", "REGISTER");
    }

    @Test
    void listsStreamsAndRegistrations() throws Exception {
        Map<String, Object> streams = served.get("/api/v1/streams?sort=-lostPercent&codec=PCMA");
        assertThat(list(streams, "streams")).isNotEmpty().allMatch(stream -> "PCMA".equals(stream.get("codec")));
        assertThat(streams.get("total"))
                .isEqualTo((long) list(streams, "streams").size());
        assertThat(list(served.get("/api/v1/registrations?text=alice"), "registrations"))
                .hasSize(1);
        assertThat(list(served.get("/api/v1/registrations?text=nobody"), "registrations"))
                .isEmpty();
    }

    @Test
    void exportsThePacketsOfACall(@TempDir Path folder) throws Exception {
        Map<String, Object> call = calls("&sort=firstSeenAt").getFirst();
        HttpResponse<byte[]> answer = served.bytes("/api/v1/calls/" + call.get("id") + "/packets");
        Path file = Files.write(folder.resolve("call.pcapng"), answer.body());

        List<Map<String, Object>> exported = command("calls", file.toString(), "--format", "json");
        assertThat(exported).hasSize(1);
        assertThat(exported.getFirst().get("callId")).isEqualTo(call.get("callId"));
        assertThat(exported.getFirst().get("messages")).isEqualTo(call.get("messages"));
        assertThat(exported.getFirst().get("durationMs")).isEqualTo(call.get("durationMs"));
    }

    @Test
    void exportsSeveralCallsAsOneCapture(@TempDir Path folder) throws Exception {
        List<Map<String, Object>> chosen =
                calls("&fields=summary&sort=firstSeenAt").subList(0, 3);
        String ids = Json.text(chosen.get(0), "id") + ',' + Json.text(chosen.get(2), "id");
        HttpResponse<byte[]> answer = served.bytes("/api/v1/packets?calls=" + ids);
        assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                .contains("calls-2.pcapng");
        Path file = Files.write(folder.resolve("calls.pcapng"), answer.body());

        assertThat(values(command("calls", file.toString(), "--format", "json"), "callId"))
                .containsExactly(chosen.get(0).get("callId"), chosen.get(2).get("callId"));
        assertThat(served.bytes("/api/v1/packets").statusCode()).isEqualTo(400);
        assertThat(served.bytes("/api/v1/packets?calls=1").statusCode()).isEqualTo(404);
    }

    @Test
    void hasTheMessagesOfARegistration() throws Exception {
        Map<String, Object> listed =
                list(served.get("/api/v1/registrations"), "registrations").getFirst();
        String path = "/api/v1/registrations/" + listed.get("id");
        assertThat(served.get(path)).isEqualTo(listed);
        List<Map<String, Object>> messages = list(served.get(path + "/messages"), "messages");
        assertThat(values(messages, "callId")).containsOnly(listed.get("callId"));
        assertThat(values(messages, "statusCode")).containsExactly(null, 401L, null, 200L);
        assertThat(served.bytes("/api/v1/registrations/1").statusCode()).isEqualTo(404);
        assertThat(served.bytes("/api/v1/registrations/x/messages").statusCode())
                .isEqualTo(404);
    }

    @Test
    void countsOnlyTheCallsThatFiltersLeave() throws Exception {
        Map<String, Object> all = served.get("/api/v1/totals");
        Map<String, Object> some = served.get("/api/v1/totals?number=bob");
        assertThat(some.get("attempts")).isEqualTo((long) calls("&number=bob").size());
        assertThat((Long) some.get("attempts")).isPositive().isLessThan((Long) all.get("attempts"));
        assertThat(Json.asObject(some.get("now"))).containsEntry("running", 0L);
    }

    @Test
    void countsTheRulesOfAlerts() throws Exception {
        Map<String, Object> alerts = served.get("/api/v1/alerts");
        assertThat(alerts).containsEntry("rules", 0L);
        assertThat(list(alerts, "alerts")).isEmpty();
    }

    @Test
    void saysWhyACaptureHasNoCalls() throws Exception {
        assertThat((List<?>) served.get("/api/v1/system").get("notes")).isEmpty();
        try (ServedSample encrypted = ServedSample.of(TLS)) {
            Map<String, Object> system = encrypted.get("/api/v1/system");
            assertThat(system.get("notes"))
                    .asString()
                    .contains("No SIP was found in 21 packets", "1 TLS stream", "--keylog");
            assertThat((Long) Json.asObject(system.get("store")).get("bytes")).isPositive();
        }
    }

    @Test
    void playsWhatTheFarEndsHeard() throws Exception {
        try (ServedSample lossy = ServedSample.of(LOSSY)) {
            String id = (String) list(lossy.get("/api/v1/calls?fields=summary"), "calls")
                    .getFirst()
                    .get("id");
            HttpResponse<byte[]> wav = lossy.bytes("/api/v1/calls/" + id + "/audio");
            ByteBuffer header = ByteBuffer.wrap(wav.body()).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(new String(wav.body(), 0, 4, StandardCharsets.US_ASCII)).isEqualTo("RIFF");
            assertThat(header.getInt(4)).isEqualTo(wav.body().length - 8);
            assertThat(header.getShort(22)).isEqualTo((short) 2);

            Map<String, Object> waveform = lossy.get("/api/v1/calls/" + id + "/waveform?bins=50");
            assertThat(values(list(waveform, "marks"), "kind")).contains("lost", "silence");
            assertThat(list(waveform, "channels")).hasSize(2);
            assertThat((List<?>) list(waveform, "channels").getFirst().get("max"))
                    .hasSize(50);
        }
    }

    @Test
    void showsADroppedCaptureApart() throws Exception {
        HttpResponse<String> taken = served.post("/api/v1/uploads?name=mine.pcap", Files.readAllBytes(Path.of(LOSSY)));
        String id = (String) Json.object(taken.body()).get("id");
        Map<String, Object> upload =
                list(served.get("/api/v1/uploads"), "uploads").getFirst();
        while ("reading".equals(upload.get("state"))) {
            Thread.sleep(20);
            upload = list(served.get("/api/v1/uploads"), "uploads").getFirst();
        }
        assertThat(upload)
                .containsEntry("state", "ready")
                .containsEntry("name", "mine.pcap")
                .containsEntry("calls", 1L);
        assertThat(list(served.get("/api/v1/calls?in=" + id), "calls")).hasSize(1);
        assertThat(list(served.get("/api/v1/system?in=" + id), "inputs"))
                .allMatch(input -> "mine.pcap".equals(input.get("name")));
        assertThat(calls("")).hasSize(12);
    }

    @Test
    void saysWhatIsWrongWithADroppedFile() throws Exception {
        HttpResponse<String> taken = served.post("/api/v1/uploads?name=no.pcap", new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        String id = (String) Json.object(taken.body()).get("id");
        List<Map<String, Object>> inputs = list(served.get("/api/v1/system?in=" + id), "inputs");
        while ("reading".equals(inputs.getFirst().get("state"))) {
            Thread.sleep(20);
            inputs = list(served.get("/api/v1/system?in=" + id), "inputs");
        }
        assertThat(inputs.getFirst()).containsEntry("state", "failed");
        assertThat((String) inputs.getFirst().get("message"))
                .contains("no.pcap")
                .doesNotContain("/tmp");
    }

    /** Each path of the description is there, with an answer of the type that it says. */
    @Test
    void describesItself() throws Exception {
        Map<String, Object> paths =
                Json.asObject(served.get("/api/v1/openapi.json").get("paths"));
        String id = Json.text(calls("&sort=firstSeenAt").getFirst(), "id");
        String registration = Json.text(
                list(served.get("/api/v1/registrations"), "registrations").getFirst(), "id");
        assertThat(paths).hasSizeGreaterThan(15);
        for (Map.Entry<String, Object> path : paths.entrySet()) {
            Object get = Json.asObject(path.getValue()).get("get");
            if (get == null || path.getKey().equals("/api/v1/events")) { // which does not end
                continue;
            }
            String named = path.getKey().startsWith("/api/v1/registrations") ? registration : id;
            String query = path.getKey().equals("/api/v1/packets") ? "?calls=" + id : "";
            HttpResponse<byte[]> answer = served.bytes(path.getKey().replace("{id}", named) + query);
            assertThat(answer.statusCode()).as(path.getKey()).isEqualTo(200);
            Map<String, Object> responses = Json.asObject(Json.asObject(get).get("responses"));
            Map<String, Object> content =
                    Json.asObject(Json.asObject(responses.get("200")).get("content"));
            assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                    .startsWith(content.keySet().iterator().next());
        }
    }
}
