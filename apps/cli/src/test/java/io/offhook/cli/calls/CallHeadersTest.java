package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Software, identities and reasons in the records of calls, and the filters that ask for them. */
class CallHeadersTest {
    @TempDir
    static Path folder;

    private static String capture;

    @BeforeAll
    static void writeCapture() {
        Traffic traffic = new Traffic(5)
                .every(1000)
                .call(call -> call.callId("diverted")
                        .software(Party.CALLER, "Soft Phone/2.1")
                        .software(Party.CALLEE, "")
                        .header("100", "Server", "proxy on the way")
                        .header("180", "Server", "gateway/1")
                        .header("200", "Server", "Desk Phone 7")
                        .header("INVITE", "P-Asserted-Identity", "\"A\" <sip:+4930111@192.0.2.9>, <tel:+4930111>")
                        .header(
                                "INVITE",
                                "Diversion",
                                "<sip:secretary@192.0.2.9>;reason=no-answer, <sip:boss@192.0.2.9>")
                        .header("INVITE", "History-Info", "<sip:boss@192.0.2.9>;index=1,<sip:b@192.0.2.9>;index=1.1")
                        .header("BYE", "Reason", "SIP;cause=200;text=\"a, b\", q.850 ;cause=16;text=\"Normal\"")
                        .answered()
                        .talk(1500)
                        .hangUp(Party.CALLER))
                .call(call -> call.callId("refused")
                        .software(Party.CALLER, "x".repeat(5000))
                        .software(Party.CALLEE, "")
                        .header("486", "Server", "Gate/3")
                        .header("486", "Reason", "Q.850;cause=17")
                        .invite()
                        .trying()
                        .rejected(486, "Busy Here"))
                .call(call -> call.callId("bare")
                        .software(Party.CALLER, "")
                        .software(Party.CALLEE, "")
                        .header("BYE", "Reason", "Q.850;cause=900")
                        .answered()
                        .talk(1500)
                        .hangUp(Party.CALLER))
                .registration("desk", 200, "Desk Phone 7")
                .registration("nomad", 403, "Soft Phone/3");
        capture = Captures.write(traffic.capture(), folder, "headers.pcap");
    }

    private static Map<String, Object> call(int index) {
        String out = Offhook.done("calls", "--format", "json", capture).out();
        return Json.objects(Json.object(out).get("calls")).get(index);
    }

    @Test
    void aCallHasWhatItsHeadersSay() {
        assertThat(call(0))
                .containsEntry("callerSoftware", "Soft Phone/2.1")
                .containsEntry("calleeSoftware", "Desk Phone 7")
                .containsEntry("assertedIdentity", "sip:+4930111@192.0.2.9")
                .containsEntry("diversion", "<sip:secretary@192.0.2.9>;reason=no-answer")
                .containsEntry("historyInfo", "<sip:boss@192.0.2.9>;index=1")
                .containsEntry("reason", "SIP;cause=200;text=\"a, b\", q.850 ;cause=16;text=\"Normal\"")
                .containsEntry("q850Cause", 16L)
                .containsEntry("sipCause", 200L);
    }

    @Test
    void aRefusalHasSoftwareAndReason() {
        assertThat(call(1))
                .containsEntry("calleeSoftware", "Gate/3")
                .containsEntry("reason", "Q.850;cause=17")
                .containsEntry("q850Cause", 17L)
                .containsEntry("sipCause", null);
    }

    @Test
    void longTextIsCut() {
        assertThat(Json.text(call(1), "callerSoftware"))
                .hasSize(128)
                .startsWith("xxx")
                .endsWith("…");
    }

    @Test
    void whatIsNotThereOrNotPossibleIsNull() {
        assertThat(call(2))
                .containsEntry("callerSoftware", null)
                .containsEntry("calleeSoftware", null)
                .containsEntry("assertedIdentity", null)
                .containsEntry("diversion", null)
                .containsEntry("historyInfo", null)
                .containsEntry("q850Cause", null)
                .containsEntry("sipCause", null);
    }

    @ParameterizedTest
    @CsvSource({
        "--user-agent 'desk phone', diverted",
        "--user-agent Soft*, diverted",
        "--user-agent nobody, ''",
        "--identity boss, diverted",
        "--identity 4930111, diverted",
        "--identity secretary, diverted",
        "--cause 16, diverted",
        "--cause 17, refused",
        "'--cause 16,17', diverted refused",
        "--cause 486, refused",
        "--cause 200, diverted bare",
        "--cause 127, ''"
    })
    void filtersAskForThem(String options, String expected) {
        List<String> args = new ArrayList<>(List.of("calls", "--format", "json", capture));
        for (String option : options.replace("desk phone", "desk_phone").split(" ", -1)) {
            args.add(option.replace("'", "").replace('_', ' '));
        }
        List<String> ids = new ArrayList<>();
        Json.objects(Json.object(Offhook.done(args.toArray(String[]::new)).out())
                        .get("calls"))
                .forEach(call -> ids.add(Json.text(call, "callId")));
        assertThat(String.join(" ", ids)).isEqualTo(expected);
    }

    /** Which Call-IDs a command names, in order, once each. */
    private static String named(String command, String array, String options) {
        List<String> args = new ArrayList<>(List.of(command, "--format", "json", capture));
        args.addAll(List.of(options.split(" ", -1)));
        Set<String> ids = new LinkedHashSet<>();
        Json.objects(Json.object(Offhook.done(args.toArray(String[]::new)).out())
                        .get(array))
                .forEach(found -> ids.add(Json.text(found, "callId")));
        return String.join(" ", ids);
    }

    @ParameterizedTest
    @CsvSource({
        "--user-agent Soft*, diverted",
        "--user-agent Gate, ''",
        "--identity boss, diverted",
        "--cause 16, diverted",
        "--cause 17, ''",
        "--cause 200, diverted bare"
    })
    void streamsAreThoseOfTheCallsThatMatch(String options, String expected) {
        assertThat(named("streams", "streams", options)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "--identity boss, diverted",
        "--cause 17, refused",
        "'--cause 16,17', diverted refused",
        "--user-agent Gate/3, refused",
        "--user-agent Gate/3 --cause 16, ''",
        "--cause 17 --outcome busy, refused",
        "--cause 17 --outcome answered, ''"
    })
    void messagesAreAllThoseOfTheCallsThatMatch(String options, String expected) {
        assertThat(named("messages", "messages", options)).isEqualTo(expected);
    }

    @Test
    void messagesAreAlsoThoseOfRegistrationsThatMatch() {
        List<String> args = List.of("messages", "--user-agent", "Desk Phone*", capture);
        assertThat(Offhook.done(args.toArray(String[]::new)).out())
                .contains("REGISTER", "INVITE")
                .doesNotContain("403");
        assertThat(Offhook.done("messages", "--cause", "403", capture).out().lines())
                .hasSize(4)
                .allMatch(line -> line.contains("REGISTER") || line.contains("40"));
        assertThat(Offhook.done("messages", "--cause", "200", "--outcome", "answered", capture)
                        .out())
                .contains("INVITE")
                .doesNotContain("REGISTER");
    }

    @ParameterizedTest
    @CsvSource({
        "--user-agent Soft, nomad",
        "--user-agent Phone, desk nomad",
        "--cause 403, nomad",
        "'--cause 200,403', desk nomad",
        "--cause 16, ''"
    })
    void registrationsAreThoseOfThatClientOrResponse(String options, String expected) {
        List<String> args = new ArrayList<>(List.of("registrations", "--format", "json", capture));
        args.addAll(List.of(options.split(" ", -1)));
        List<String> users = new ArrayList<>();
        Json.objects(Json.object(Offhook.done(args.toArray(String[]::new)).out())
                        .get("registrations"))
                .forEach(found -> users.add(Json.text(found, "user")));
        assertThat(String.join(" ", users)).isEqualTo(expected);
    }

    @Test
    void registrationsHaveNoIdentity() {
        assertThat(Offhook.run("registrations", "--identity", "boss", capture).code())
                .isEqualTo(ExitCode.MISUSE);
    }

    @Test
    void packetsAndFlowsAreThoseOfTheCallsThatMatch() {
        List<String> refused =
                Offhook.done("print", "--cause", "17", capture).out().lines().toList();
        assertThat(refused).hasSize(4).allMatch(line -> line.contains("  SIP  "));
        assertThat(Offhook.done("print", "--identity", "nobody", capture).out()).isEmpty();
        assertThat(Json.objects(Json.object(Offhook.done("flows", "--format", "json", "--cause", "17", capture)
                                .out())
                        .get("flows")))
                .singleElement()
                .satisfies(flow -> assertThat(flow.toString()).contains("5060"));
    }

    @Test
    void aCallIsLookedForAmongThoseThatMatch(@TempDir Path written) {
        // all three Call-IDs have an "e"
        assertThat(Offhook.run("call", "e", capture).code()).isEqualTo(ExitCode.MISUSE);
        Path file = written.resolve("one.pcap");
        assertThat(Offhook.done("call", "e", "--cause", "17", "-w", file.toString(), capture)
                        .out())
                .contains("486");
        assertThat(Offhook.done("calls", "--format", "csv", file.toString()).out())
                .contains("refused")
                .doesNotContain("diverted");
    }

    @Test
    void filesAreThoseThatHaveSuchACall() {
        assertThat(Offhook.done("info", "--cause", "17", capture).out()).contains("headers.pcap");
        assertThat(Offhook.done("info", "--cause", "18", capture).out()).doesNotContain("headers.pcap");
    }

    @ParameterizedTest
    @CsvSource({"--user-agent", "--identity", "--cause"})
    void packetsOnTheWireCannotBeSelectedByThem(String option) {
        Offhook.Result result = Offhook.run("print", "-i", "lo", option, "16");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("the packets of a call are known only after it ended");
    }

    @ParameterizedTest
    @CsvSource({"128", "700", "busy", "''"})
    void causesThatDoNotExistAreRefused(String cause) {
        Offhook.Result result = Offhook.run("calls", "--cause", cause, capture);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("is neither a cause of Q.850, 0 to 127, nor a SIP status, 200 to 699");
    }

    @Test
    void theLadderShowsThem() {
        assertThat(Offhook.done("call", "diverted", capture).out())
                .containsPattern("Asserted +sip:\\+4930111@192.0.2.9\n")
                .containsPattern("Diversion +<sip:secretary@192.0.2.9>;reason=no-answer\n")
                .containsPattern("History +<sip:boss@192.0.2.9>;index=1\n")
                .containsPattern("Reason +SIP;cause=200");
    }
}
