package io.offhook.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.library.Checkout;
import io.offhook.testkit.traffic.Scenarios;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The folder that is written: what is in it, and what is said. {@link PlayedAgainTest} plays it. */
class ReproduceCommandTest {
    private static final String SAMPLE =
            Checkout.ROOT.resolve("samples/calls.pcap").toString();
    private static final Pattern KEYWORD = Pattern.compile("\\[([^\\]]*)]");
    private static final Pattern CDATA = Pattern.compile("(?s)<!\\[CDATA\\[(.*?)]]>");
    private static final Set<String> KEYWORDS = Set.of(
            "call_id",
            "call_number",
            "pid",
            "len",
            "transport",
            "local_ip",
            "local_port",
            "local_ip_type",
            "remote_ip",
            "remote_port",
            "media_ip",
            "media_ip_type",
            "media_port",
            "last_Via:",
            "last_From:",
            "last_To:",
            "last_CSeq:");

    @TempDir
    private Path folder;

    private String read(Path scenario, String name) throws IOException {
        return Files.readString(scenario.resolve(name), StandardCharsets.UTF_8);
    }

    private Path made(String file, String call, String... options) {
        Path target = folder.resolve("made");
        List<String> arguments = Stream.concat(
                        Stream.of("reproduce", call, file, "-o", target.toString()), Stream.of(options))
                .toList();
        Offhook.done(arguments.toArray(String[]::new));
        return target;
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).collect(Collectors.toSet());
    }

    @Test
    void theDocumentSaysWhatWasWritten() {
        Path made = folder.resolve("made");
        String out = Offhook.done("reproduce", "1", SAMPLE, "-o", made.toString(), "--format", "json")
                .out();
        assertThat(out)
                .contains("\"folder\":\"" + made + "\"", "\"leg\":1,\"legs\":1,\"messages\":7")
                .contains("\"callerPackets\":400,\"calleePackets\":400", "\"minimized\":null", "\"check\":null");
    }

    @Test
    void csvIsRefused() {
        Offhook.Result result = Offhook.run(
                "reproduce", "1", SAMPLE, "-o", folder.resolve("made").toString(), "--format", "csv");
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("use table or json");
        assertThat(folder.resolve("made")).doesNotExist();
    }

    @Test
    void theFolderHasScriptsMediaARunAndAReadme() throws IOException {
        Path made = made(SAMPLE, "1");
        try (Stream<Path> files = Files.list(made)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "caller.xml",
                            "callee.xml",
                            "caller-media.pcap",
                            "callee-media.pcap",
                            "run.sh",
                            "README.txt");
        }
        assertThat(made.resolve("run.sh")).isExecutable();
        assertThat(read(made, "README.txt"))
                .contains("Messages: >INVITE <100 <180 <200 >ACK >BYE <200", "Leg: 1 of 1", "RTCP");
        String caller = read(made, "caller.xml");
        assertThat(caller)
                .contains(
                        "INVITE sip:bob@[remote_ip]:[remote_port] SIP/2.0",
                        "From: \"Alice\" <sip:alice@example.com>;tag=caller1-[pid]-[call_number]",
                        "Contact: <sip:alice@[local_ip]:[local_port];transport=[transport]>",
                        "c=IN IP[media_ip_type] [media_ip]",
                        "m=audio [media_port] RTP/AVP 8 101",
                        "<exec play_pcap_audio=\"caller-media.pcap\"/>",
                        "User-Agent: Example Phone 2.1")
                .doesNotContain("127.0.1.");
        assertThat(read(made, "callee.xml"))
                .contains("<pause milliseconds=\"2419\"/>")
                .doesNotContain("127.0.1.");
    }

    @Test
    void anInviteItsAckOfARefusalAndItsCancelHaveOneBranch() throws IOException {
        String cancelled = read(made(SAMPLE, "5"), "caller.xml");
        assertThat(found(Pattern.compile("branch=(\\S+)"), cancelled)).hasSize(1);
        assertThat(cancelled).contains("CANCEL sip:", "ACK sip:");
    }

    @Test
    void aResponseThatIsNotToTheLastRequestRepeatsWhatWasKeptOfItsOwn() throws IOException {
        String callee = read(made(SAMPLE, "5"), "callee.xml");
        assertThat(callee)
                .contains("<ereg regexp=\".*\" search_in=\"hdr\" header=\"CSeq:\" assign_to=\"cseq1\"/>")
                .containsSubsequence("SIP/2.0 200", "[last_CSeq:]", "SIP/2.0 487", "CSeq:[$cseq1]");
    }

    @Test
    void pausesAreNoLongerThanTheOptionAndTheMediaInThemIsLeftOut() throws IOException {
        Path made = made(SAMPLE, "1", "--max-pause", "1.5");
        String all = read(made, "caller.xml") + read(made, "callee.xml");
        assertThat(found(Pattern.compile("milliseconds=\"(\\d+)\""), all))
                .isNotEmpty()
                .allSatisfy(ms -> assertThat(Integer.parseInt(ms)).isLessThanOrEqualTo(1500));
        assertThat(read(made, "README.txt")).contains("no longer than 1.500 s", "RTP packets not played");
        assertThat(Offhook.done(
                                "info",
                                "--format",
                                "json",
                                made.resolve("caller-media.pcap").toString())
                        .out())
                .containsPattern("\"packets\":7\\d[,}]");
    }

    @Test
    void credentialsAreThoseOfTheCaptureAndThatIsSaid() throws IOException {
        Path made = made(SAMPLE, "9");
        assertThat(read(made, "caller.xml")).contains("Proxy-Authorization: Digest username=");
        assertThat(read(made, "README.txt")).contains("Credentials are those of the capture");
    }

    @Test
    void aLegOfSeveralIsChosenByItsNumber() throws IOException {
        String file = Captures.scenario("proxies", folder);
        Offhook.Result wrong = Offhook.run(
                "reproduce", "1", file, "-o", folder.resolve("wrong").toString(), "--leg", "9");
        assertThat(wrong.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(wrong.err()).contains("the call has 3 legs: ");
        Path second = made(file, "1", "--leg", "2");
        assertThat(read(second, "README.txt")).contains("Leg: 2 of 3", "Only one leg is played", "Route, Record-Route");
        assertThat(read(second, "caller.xml")).doesNotContain("Route:");
    }

    @ParameterizedTest
    @CsvSource({
        "--leg, x, --leg",
        "--max-pause, x, is not a time",
        "--minimize, nothing, is no kind of problem",
        "--minimize, expired, is no kind of problem",
        "--runs, 0, is outside 1 to 1000"
    })
    void wrongOptionsAreReportedBeforeAnythingIsWritten(String option, String value, String message) {
        Path target = folder.resolve("none");
        Offhook.Result result = Offhook.run("reproduce", "1", SAMPLE, "-o", target.toString(), option, value);
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains(message);
        assertThat(target).doesNotExist();
    }

    @Test
    void aFolderWithOtherFilesIsLeftAlone() throws IOException {
        Files.writeString(folder.resolve("mine"), "");
        Offhook.Result result = Offhook.run("reproduce", "1", SAMPLE, "-o", folder.toString());
        assertThat(result.code()).isEqualTo(ExitCode.MISUSE);
        assertThat(result.err()).contains("is not empty");
        assertThat(Offhook.run("reproduce", "1", SAMPLE).err()).contains("reproduce needs -o DIR");
    }

    static Set<String> calls() {
        return Scenarios.calls().keySet();
    }

    /** Whatever a call is like, its scripts are ASCII, have no keywords but ours, and use each variable that they keep. */
    @ParameterizedTest
    @MethodSource("calls")
    void scriptsHaveNoKeywordsButOurs(String scenario) throws IOException {
        Path made = made(Captures.scenario(scenario, folder), "1");
        for (String name : List.of("caller.xml", "callee.xml")) {
            String xml = read(made, name);
            assertThat(xml).matches("[\\n -~]*");
            Set<String> kept = found(Pattern.compile("assign_to=\"(\\w+)\""), xml);
            Set<String> used = new HashSet<>();
            for (MatchResult cdata : CDATA.matcher(xml).results().toList()) {
                for (MatchResult keyword :
                        KEYWORD.matcher(cdata.group(1)).results().toList()) {
                    String word = keyword.group(1);
                    if (word.startsWith("$")) {
                        used.add(word.substring(1));
                    } else {
                        assertThat(KEYWORDS.contains(word) || word.matches("media_\\d+"))
                                .as(word)
                                .isTrue();
                    }
                }
            }
            assertThat(used).as(scenario + " " + name).isEqualTo(kept);
        }
    }

    @Test
    void textOfTheCaptureIsNeitherXmlNorAKeywordNorShell() throws IOException {
        String name =
                "]]></send><nop><action><exec command='touch x'/></action></nop> [call_id] $(touch y) `touch z` \\x41";
        Traffic traffic = new Traffic(5)
                .call(call -> call.callId("$(touch v)';`x`@[pid]").named(name).completed(Party.CALLER, 1000));
        Path made = made(Captures.write(traffic.capture(), folder, "hostile.pcap"), "1");
        assertThat(read(made, "caller.xml")).doesNotContain("]]></send><nop", "[call_id] $", "\\x41 <");
        assertThat(read(made, "run.sh")).doesNotContain("touch");
    }
}
