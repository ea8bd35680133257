package io.offhook.cli.reproduce;

import static io.offhook.cli.OutputDocument.documented;
import static io.offhook.cli.OutputDocument.matches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Captures;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.library.Checkout;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.JavaProcess;
import io.offhook.testkit.peers.Program;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that sipp plays again on loopback, and that are captured there, are the same calls. */
class PlayedAgainTest {
    private static final String SAMPLE =
            Checkout.ROOT.resolve("samples/calls.pcap").toString();
    /** Of a machine that has other work: what is played late is played nevertheless. */
    private static final String TOLERANCE = "20";

    @TempDir
    private Path folder;

    @BeforeEach
    void sippIsThere() {
        assumeTrue(Network.isPossible(), "capturing and raw sockets need root");
        assumeFalse(Program.isMissing("sipp", "-v"), "sipp is not installed");
    }

    private Offhook.Result played(String call, String file, String... options) {
        String[] arguments = new String[8 + options.length];
        System.arraycopy(
                new String[] {
                    "reproduce",
                    call,
                    file,
                    "-o",
                    folder.resolve("made").toString(),
                    "--check",
                    "--tolerance",
                    TOLERANCE
                },
                0,
                arguments,
                0,
                8);
        System.arraycopy(options, 0, arguments, 8, options.length);
        return Offhook.run(arguments);
    }

    private static void assertSame(Offhook.Result result) {
        assertThat(result.code()).as(() -> result.out() + result.err()).isEqualTo(ExitCode.DONE);
        assertThat(result.out()).contains("It plays again the same.").doesNotContain("DIFFERS");
    }

    /** Busy, cancelled, over TCP, challenged, put on hold, an announcement and a refusal. */
    @ParameterizedTest
    @ValueSource(strings = {"3", "5", "8", "9", "10", "12"})
    void callsOfTheSample(String call) {
        assertSame(played(call, SAMPLE, "--max-pause", "1"));
    }

    @Test
    void theDocumentHasWhatWasComparedAndNothingElse() {
        Offhook.Result result = played("3", SAMPLE, "--format", "json");
        assertThat(result.code()).as(() -> result.out() + result.err()).isEqualTo(ExitCode.DONE);
        assertThat(result.out()).startsWith("{").contains("\"same\":true", "\"what\":\"outcome\"");
        Set<String> names = documented("### Reproduced").stream()
                .filter(path -> !path.startsWith("minimized."))
                .map(path -> path.substring(path.lastIndexOf('.') + 1))
                .collect(Collectors.toSet());
        assertThat(matches("\"(\\w+)\":", result.out())).isEqualTo(names);
    }

    @Test
    void mediaIsPlayedPacketByPacket() {
        Offhook.Result result = played("1", SAMPLE);
        assertSame(result);
        assertThat(result.out()).contains("stream of the caller: PCMA, 400 packets", "stream of the callee: PCMA, ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update-in-early-dialog",
                "forked",
                "cancel-crosses-200",
                "both-hang-up",
                "delayed-offer",
                "capture-starts-in-mid-call",
                "ongoing-at-the-end",
                "multipart-body",
                "folded-headers",
                "compact-headers",
                "utf-8-names"
            })
    void callsOfOtherKinds(String scenario) {
        assertSame(played("1", Captures.scenario(scenario, folder)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipv6", "tcp-on-ipv6"})
    void aCallOverIpv6IsPlayedOverIpv6(String scenario) throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/net/if_inet6")), "there is no IPv6 here");
        assertSame(played("1", Captures.scenario(scenario, folder)));
        Offhook.Result played =
                Offhook.done("calls", folder.resolve("made/played.pcapng").toString(), "--format", "json");
        assertThat(played.out()).contains("\"[::1]:").doesNotContain("127.0.");
    }

    @ParameterizedTest
    @CsvSource({"keys-by-info, 1", "keys-by-info, 2", "proxy-with-media-relay, 2"})
    void eachLegOfACallThroughAProxy(String scenario, String leg) {
        assertSame(played("1", Captures.scenario(scenario, folder), "--leg", leg));
    }

    @Test
    void aTransferInTheDialog() {
        Offhook.Result result = played("1", Captures.scenario("referred-to-a-new-call", folder), "--no-join");
        assertSame(result);
        assertThat(result.out()).contains("REFER", "NOTIFY");
    }

    @Test
    void textThatLooksLikeXmlKeywordsOrShellIsSentAsItWas() {
        String name =
                "]]></send><nop><action><exec command='touch x'/></action></nop> [call_id] $(touch y) `touch z` \\x41";
        Traffic traffic = new Traffic(5).call(call -> call.named(name).completed(Party.CALLER, 500));
        assertSame(played("1", Captures.write(traffic.capture(), folder, "hostile.pcap")));
        assertThat(folder.resolve("made/x")).doesNotExist();
        assertThat(folder.resolve("made/y")).doesNotExist();
        assertThat(folder.resolve("made/z")).doesNotExist();
    }

    @Test
    void aCallIsMadeSmallerWhileItsProblemStays() throws Exception {
        Path target = folder.resolve("small");
        Offhook.Result result =
                Offhook.run("reproduce", "3", SAMPLE, "-o", target.toString(), "--minimize", "busy", "--runs", "12");
        assertThat(result.code()).as(result.out() + result.err()).isEqualTo(ExitCode.DONE);
        assertThat(result.out()).contains("Messages: >INVITE <486 >ACK\n");
        assertThat(result.err()).contains("run 1 of 12 at most", "busy stays");
        assertThat(Files.readString(target.resolve("README.txt")))
                .contains("while the problem busy stays: 1 of 3 parts left");
    }

    @Test
    void aProblemThatDoesNotOccurIsSaidAndTheWholeCallIsWritten() throws Exception {
        Path target = folder.resolve("whole");
        Offhook.Result result =
                Offhook.run("reproduce", "3", SAMPLE, "-o", target.toString(), "--minimize", "oneWayAudio");
        assertThat(result.code()).isEqualTo(ExitCode.FOUND);
        assertThat(result.err()).contains("the call does not have the problem oneWayAudio");
        assertThat(Files.readString(target.resolve("README.txt"))).contains(">INVITE <100 <180 <486 >ACK");
    }

    /** Ctrl-C in the second of many runs of six seconds each. */
    @Test
    @Timeout(600)
    void whoInterruptsMinimizingGetsTheSmallestScenarioSoFarAndNoProcessStays() throws Exception {
        Path target = folder.resolve("interrupted");
        Path said = folder.resolve("said");
        List<String> command =
                new ArrayList<>(List.of("env", "--default-signal=INT")); // which whatever runs the tests ignores
        command.addAll(JavaProcess.command(
                List.of("--enable-native-access=ALL-UNNAMED"),
                Main.class,
                "reproduce",
                "6",
                SAMPLE,
                "-o",
                target.toString(),
                "--minimize",
                "oneWayAudio"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            List<ProcessHandle> playing = List.of();
            while (playing.size() < 3) { // the script, and both sipp
                assertThat(process.isAlive()).as(Files.readString(said)).isTrue();
                boolean isSecond = Files.readString(said).contains("run 2 of 40");
                playing = isSecond ? process.descendants().toList() : List.of();
            }
            assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor()).as(Files.readString(said)).isEqualTo(ExitCode.DONE);
            for (ProcessHandle one : playing) {
                one.onExit().orTimeout(60, TimeUnit.SECONDS).join();
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(said)).contains("oneWayAudio stays", "  interrupted");
        assertThat(Files.readString(target.resolve("README.txt")))
                .containsPattern(
                        "while the problem oneWayAudio stays: \\d+ of \\d+ parts left after 2 runs, where it was interrupted");
        assertThat(target.resolve("caller.xml")).content().contains("INVITE");
    }
}
