package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.generate.GenerateOptions;
import io.offhook.testkit.generate.GeneratedTraffic;
import io.offhook.testkit.generate.MisuseException;
import io.offhook.testkit.traffic.CaptureWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The truth file of {@code offhook generate} against the output of {@code offhook calls} about the same capture: what a
 * script outside would compare, field by field.
 */
class GeneratedTruthTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--calls 30 --seconds 2 --loss 0.05 --dup 0.03 --reorder 0.03",
                "--calls 40 --seconds 2 --tcp 0.5 --ipv6 0.5 --vlan 0.5 --background 2000 --dup 0.05",
                "--calls 60 --seconds 1 --cps 100 --outcomes busy:1,cancelled:1,declined:1,noanswer:1,auth:1"
            })
    void outputAgreesWithTheTruthFile(String options) throws IOException, MisuseException {
        Map<String, String> values = new HashMap<>();
        String[] words = options.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        Path capture = folder.resolve("generated.pcap");
        String text = GeneratedTraffic.of(GenerateOptions.of(values))
                .write(CaptureWriter.pcap(), capture)
                .toJson();
        Map<String, Object> truth = Json.object(text);
        Offhook.Result result = Offhook.run("calls", "--format", "json", capture.toString());
        assertThat(result.err()).isEmpty();
        Map<String, Object> output = Json.object(result.out());

        Map<String, Map<String, @Nullable Object>> calls = new LinkedHashMap<>();
        Map<String, Map<String, @Nullable Object>> streams = new LinkedHashMap<>();
        for (Map<String, Object> call : Json.objects(output.get("calls"))) {
            calls.put(Json.text(call, "callId"), call(call));
            for (Map<String, Object> stream : Json.objects(call.get("streams"))) {
                streams.put(stream(stream), counts(stream, Json.text(call, "callId"), "packets"));
            }
        }
        Map<String, Map<String, @Nullable Object>> trueCalls = new LinkedHashMap<>();
        for (Map<String, Object> call : Json.objects(truth.get("calls"))) {
            trueCalls.put(Json.text(call, "call_id"), trueCall(call));
        }
        Map<String, Map<String, @Nullable Object>> trueStreams = new LinkedHashMap<>();
        for (Map<String, Object> stream : Json.objects(truth.get("streams"))) {
            String key = stream.get("ssrc") + " " + stream.get("src") + " " + stream.get("dst");
            trueStreams.put(key, counts(stream, Json.text(stream, "call_id"), "captured"));
        }
        assertThat(calls).containsExactlyInAnyOrderEntriesOf(trueCalls);
        assertThat(streams).containsExactlyInAnyOrderEntriesOf(trueStreams);
        assertThat(Json.objects(output.get("streams"))).isEmpty();
        assertThat(Json.asObject(output.get("capture"))).containsEntry("packets", truth.get("packets"));
    }

    private static Map<String, @Nullable Object> call(Map<String, Object> call) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        for (String name : List.of("from", "to", "outcome", "finalStatus", "transport", "messages", "hungUpBy")) {
            fields.put(name, call.get(name));
        }
        for (String name : List.of("invitedAt", "ringingAt", "answeredAt", "endedAt")) {
            fields.put(name, micros(call.get(name)));
        }
        fields.put("codec", lower(call.get("codec")));
        return fields;
    }

    private static Map<String, @Nullable Object> trueCall(Map<String, Object> call) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        for (String name : List.of("from", "to", "transport", "messages")) {
            fields.put(name, call.get(name));
        }
        String outcome = Json.text(call, "outcome");
        fields.put("outcome", outcome.equals("noanswer") ? "unavailable" : outcome);
        fields.put("finalStatus", call.get("final_status"));
        fields.put("hungUpBy", call.get("hung_up_by"));
        fields.put("invitedAt", call.get("invite_us"));
        fields.put("ringingAt", call.get("ringing_us"));
        fields.put("answeredAt", call.get("answer_us"));
        fields.put("endedAt", call.get("end_us"));
        fields.put("codec", lower(call.get("codec")));
        return fields;
    }

    private static String stream(Map<String, Object> stream) {
        return stream.get("ssrc") + " " + stream.get("source") + " " + stream.get("destination");
    }

    private static Map<String, @Nullable Object> counts(Map<String, Object> stream, String callId, String packets) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("callId", callId);
        fields.put("codec", lower(stream.get("codec")));
        fields.put("packets", stream.get(packets));
        for (String name : List.of("expected", "lost", "duplicates", "reordered")) {
            fields.put(name, stream.get(name));
        }
        return fields;
    }

    /** Seconds since 1970 as text, in microseconds. */
    private static @Nullable Object micros(@Nullable Object seconds) {
        return seconds == null
                ? null
                : new BigDecimal(String.valueOf(seconds)).movePointRight(6).longValue();
    }

    private static @Nullable Object lower(@Nullable Object text) {
        return text == null ? null : String.valueOf(text).toLowerCase(Locale.ROOT);
    }
}
