package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of several Call-IDs, from packets to what is printed. */
final class JoinedCallsTest {
    @TempDir
    Path folder;

    private static List<Map<String, Object>> calls(String capture, String... options) {
        List<String> arguments = new ArrayList<>(List.of("calls", "--format", "json", capture));
        arguments.addAll(List.of(options));
        Offhook.Result result = Offhook.done(arguments.toArray(String[]::new));
        return Json.objects(Json.object(result.out()).get("calls"));
    }

    private static @Nullable Object ssrc(Map<String, Object> passage, String point) {
        Map<?, ?> captured = (Map<?, ?>) Objects.requireNonNull(passage.get(point));
        return captured.get("ssrc");
    }

    @ParameterizedTest
    @CsvSource({
        "legs-named-by-a-header, 1, 2",
        "legs-of-one-session, 1, 2",
        "legs-with-media-of-their-ends, 1, 2",
        "legs-with-media-passed-on, 1, 2",
        "legs-with-media-rewritten, 1, 2",
        "callers-that-hear-one-announcement, 4, 4",
        "legs-of-a-hunt-group, 1, 3",
        "legs-that-nothing-names, 4, 4",
        "load-through-one-switch, 200, 200",
        "transferred-to-a-new-call, 2, 2"
    })
    void joinsWhatIsProvenAndNothingElse(String scenario, int calls, int callIds) {
        String capture = Captures.scenario(scenario, folder);

        assertThat(calls(capture)).hasSize(calls);
        assertThat(calls(capture, "--no-join")).hasSize(callIds);
        assertThat(calls(capture, "--lanes", "3")).as("on three lanes").isEqualTo(calls(capture, "--lanes", "1"));
    }

    @Test
    void aRelayWithStreamsOfItsOwnIsAPassageInBothDirections() {
        Map<String, Object> call = calls(Captures.scenario("relay-with-streams-of-its-own", folder), "--passages")
                .getFirst();

        assertThat(Json.objects(call.get("passages"))).hasSize(2).allSatisfy(passage -> {
            assertThat(passage).containsEntry("level", "rewritten").containsEntry("lost", 0L);
            assertThat((Long) passage.get("present")).isGreaterThan(190);
            assertThat(ssrc(passage, "from")).isEqualTo(passage.get("ssrc"));
            assertThat(ssrc(passage, "to")).isNotEqualTo(passage.get("ssrc"));
        });
    }

    @Test
    void aJoinedCallIsOneLineWithTheNumberOfItsOtherLegs() {
        String out = Offhook.done("calls", Captures.scenario("legs-named-by-a-header", folder))
                .out();

        assertThat(out).contains("#  Legs", "1  +1", "1 call: 1 answered");
    }

    @Test
    void aCallWithoutOtherLegsHasNoColumnForThem() {
        assertThat(Offhook.done("calls", Captures.scenario("answered", folder)).out())
                .doesNotContain("Legs");
    }

    @Test
    void aTransferredCallKeepsItsLineAndNamesTheNextOne() {
        String capture = Captures.scenario("transferred-to-a-new-call", folder);

        assertThat(Offhook.done("calls", capture).out()).contains("1  -> 2");
        assertThat(Offhook.done("call", "1", capture).out())
                .contains("Related   transferred to new-1@phone", "REFER, then INVITE with Referred-By");
        assertThat(Json.objects(calls(capture).getFirst().get("relations")))
                .singleElement()
                .satisfies(relation -> assertThat(relation).containsEntry("kind", "transferredTo"));
    }

    @Test
    void listsTheDialogsWithTheirReasons() {
        Map<String, Object> call =
                calls(Captures.scenario("legs-named-by-a-header", folder)).getFirst();

        List<Map<String, Object>> dialogs = Json.objects(call.get("dialogs"));
        assertThat(dialogs.getFirst())
                .containsEntry("callId", "in-1@phone")
                .containsEntry("role", "root")
                .containsEntry("parentCallId", null)
                .containsEntry("score", null);
        assertThat(dialogs.getLast())
                .containsEntry("callId", "out-1@switch")
                .containsEntry("parentCallId", "in-1@phone")
                .containsEntry("role", "leg")
                .containsEntry("source", "10.20.0.9:5060")
                .containsEntry("outcome", "answered");
        assertThat((List<?>) dialogs.getLast().get("reasons")).first().isEqualTo("X-CID names it (100)");
        assertThat(Json.objects(call.get("streams")))
                .extracting(stream -> stream.get("callId"))
                .containsExactlyInAnyOrder("in-1@phone", "in-1@phone", "out-1@switch", "out-1@switch");
    }

    @Test
    void drawsOneLadderOfAllLegsWhicheverCallIdIsGiven() {
        String capture = Captures.scenario("legs-named-by-a-header", folder);
        String one = Offhook.done("call", "in-1@phone", capture).out();

        assertThat(one).contains("Call-ID   in-1@phone +1", "Legs      in-1@phone:", "  -> out-1@switch:");
        assertThat(one.split("─ INVITE ─", -1)).as("an INVITE of each leg").hasSize(1 + 2);
        assertThat(Offhook.done("call", "out-1@switch", capture).out()).isEqualTo(one);
        assertThat(Offhook.done("call", "out-1@switch", "--no-join", capture).out())
                .doesNotContain("in-1@phone");
    }

    @Test
    void writesThePacketsOfAllLegs() {
        String capture = Captures.scenario("legs-named-by-a-header", folder);
        String written = folder.resolve("call.pcapng").toString();
        Offhook.done("call", "1", "-w", written, capture);

        assertThat(calls(written)).isEqualTo(calls(capture));
    }

    @Test
    void findsAJoinedCallByTheCallIdOfAnyLeg() {
        String capture = Captures.scenario("legs-named-by-a-header", folder);

        assertThat(calls(capture, "--call-id", "out-1")).hasSize(1);
        assertThat(Offhook.done("calls", "--format", "csv", capture).out()).contains("in-1@phone; out-1@switch");
    }

    @Test
    void aBusyLegOfAnAnsweredCallIsANoteThatNamesIt() {
        String capture = Captures.scenario("legs-of-a-hunt-group", folder);

        assertThat(Offhook.done("calls", capture).out()).contains("+2").doesNotContain("busy");
        assertThat(Offhook.done("calls", "--all-problems", capture).out()).contains("busy (busy-1@switch)");
    }

    private static Map<String, Object> passageFromCaller(String capture, String... options) {
        return Json.objects(calls(capture, options).getFirst().get("passages")).stream()
                .filter(each -> "from caller".equals(each.get("direction")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void comparesWhatARelayTookInAndLetOut() {
        String capture = Captures.scenario("relay-that-loses-packets", folder);
        Map<String, Object> passage = passageFromCaller(capture, "--passages");

        // the generator's relay holds each packet for 250 us
        assertThat(Json.asObject(passage.get("delayMs")))
                .extractingByKeys("median", "p95", "max")
                .allSatisfy(ms -> assertThat(ms).isEqualTo(0.25));
        assertThat(passage).containsEntry("trusted", true).containsEntry("lostBefore", 0L);
        assertThat(passageFromCaller(capture))
                .containsEntry("delayMs", null)
                .containsEntry("lost", passage.get("lost"));
        assertThat(Offhook.done("calls", capture).out()).contains("from caller lost between");
    }
}
