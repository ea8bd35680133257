package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.command.ExitCode;
import io.offhook.proxy.log.LogCategory;
import io.offhook.proxy.log.LogLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look into a proxy that runs, over a real control socket. */
class ProxyCommandsTest {
    @TempDir
    private Path folder;

    private FixedProxy proxy;

    @BeforeEach
    void open() throws IOException {
        proxy = new FixedProxy(folder);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    private Offhook.Result run(String... words) {
        List<String> args = new ArrayList<>(List.of("proxy"));
        args.addAll(List.of(words));
        args.addAll(List.of("--socket", proxy.socket(), "--utc"));
        return Offhook.run(args.toArray(String[]::new));
    }

    private String table(String... words) {
        Offhook.Result result = run(words);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return result.out();
    }

    private Map<String, Object> json(String... words) {
        List<String> args = new ArrayList<>(List.of(words));
        args.addAll(List.of("--format", "json"));
        return Json.object(table(args.toArray(String[]::new)));
    }

    private void assertRefused(String message, String... words) {
        Offhook.Result result = run(words);
        assertThat(result.err()).isEqualTo("offhook: " + message + "\n");
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void listsCallsWithoutSteeringTheTerminal() {
        String table = table("calls");
        assertThat(table)
                .contains("Started", "Caller", "Call-ID")
                .contains("08:00:00")
                .contains("answered", "sip:alice@example.com", "[2001:db8::2]:5061")
                .endsWith("2 calls.\n")
                .doesNotContain("\u001b");
        assertThat(table("calls", "--state", "trying"))
                .contains("two@host")
                .endsWith("1 call.\n")
                .doesNotContain("alice");
        assertThat(table("calls", "--with", "ALICE", "--limit", "5")).endsWith("1 call.\n");
        assertThat(table("calls", "--with", "nobody")).isEqualTo("0 calls.\n");
    }

    @Test
    void writesCallsAsJsonWithTimesInTheFormAskedFor() {
        Map<String, Object> json = json("calls", "--time", "iso");
        Map<String, Object> first = Json.objects(json.get("calls")).getFirst();
        assertThat(first)
                .containsEntry("callId", "one\u001b[2J@host")
                .containsEntry("startedAt", "2027-01-15T08:00:00.000000000Z")
                .containsEntry("answeredAt", "2027-01-15T08:00:03.000000000Z")
                .containsEntry("status", 200L);
        assertThat(Json.objects(json.get("calls")).getLast())
                .containsEntry("answeredAt", null)
                .containsEntry("target", null);
    }

    @Test
    void showsOneCallWithItsMessages() {
        assertThat(table("call", "two@host"))
                .startsWith("two@host\nsip:carol@example.com calls sip:dave@example.com: trying\n"
                        + "from 192.0.2.1:5060, lane 1, since 08:00:00.000\n")
                .contains("\n\n2 messages before are not remembered.\n")
                .contains("192.0.2.1:5060", "192.0.2.9:5060", "[2001:db8::2]:5061")
                .containsPattern("08:00:00.000 +\\+0.000 .* INVITE \\(again\\) ")
                .containsPattern("\\+0.090 .* 180 ");
        assertThat(Json.objects(json("call", "two@host").get("messages")).getLast())
                .containsEntry("at", "1800000000.090000000")
                .containsEntry("from", "[2001:db8::2]:5061")
                .containsEntry("to", "192.0.2.9:5060")
                .containsEntry("status", 180L);
        assertThat(table("call", "gone")).startsWith("gone\nhas ended\n\n").contains("INVITE");
        assertRefused("there is no call with the Call-ID three; see calls", "call", "three");
    }

    @Test
    void listsRegistrations() {
        assertThat(table("registrations"))
                .contains("sip:alice@example.com", "sip:alice@10.0.0.7:5060", "phone 1.0")
                .endsWith("1 binding.\n");
        assertThat(table("registrations", "--with", "bob")).isEqualTo("0 bindings.\n");
        assertThat(Json.objects(json("registrations").get("registrations"))).hasSize(1);
    }

    @Test
    void showsStatistics() {
        assertThat(table("stats"))
                .contains("1 call attempts, 0.0 a second, 0 in the last hour, 0 in the busiest hour (BHCA)\n")
                .contains("Calls: 0 trying, 0 ringing, 1 answered, 0 ending\n")
                .contains("waiting for a lane")
                .contains("[2001:db8::2]:5061 until it answers")
                .contains("udp 127.0.0.1:5070 lane 0")
                .contains("too large")
                .contains("Heap ");
        assertThat(json("stats")).containsOnlyKeys("statistics");
    }

    @Test
    void namesTheLegOnWhichMessagesVanish() {
        String text = table("stats", "--messages");
        int callee = text.indexOf("[2001:db8::2]:5061");
        int caller = text.indexOf("192.0.2.1:5060");
        String loss = "  ACK to it were lost: 7 sent again\n";
        assertThat(text).containsOnlyOnce(loss);
        int at = text.indexOf(loss);
        assertThat(callee < caller ? at > callee && at < caller : at > callee).isTrue();
        assertThat(Json.objects(json("stats", "--messages").get("neighbours"))).hasSize(2);
    }

    @Test
    void looksAgainAndAgain() {
        String text = table("top", "--count", "2", "--interval", "0.1");
        assertThat(text.split("call attempts", -1)).hasSize(3);
        assertThat(text).doesNotContain("\u001b");
        assertThat(table("top", "--count", "2", "--interval", "0.1", "--format", "json")
                        .lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(Json.object(line)).containsKey("calls"));
        Offhook.Result page =
                new Offhook().onTerminal(100).with("proxy", "top", "--count", "1", "--socket", proxy.socket());
        assertThat(page.out())
                .startsWith("\u001b[?1049h\u001b[?25l\u001b[H\u001b[J")
                .endsWith("\u001b[?25h\u001b[?1049l");
        assertThat(run("top", "--interval", "0").code()).isEqualTo(ExitCode.MISUSE);
        assertThat(run("top", "--count", "0").code()).isEqualTo(ExitCode.MISUSE);
    }

    @Test
    void setsLogLevelsForATime() {
        assertThat(table("log", "sip=debug", "for", "10", "m"))
                .contains("info again in 10:00")
                .contains("0 written, 0 dropped, 0 refused by the disk.\n");
        assertThat(proxy.log().of(LogCategory.SIP).level()).isEqualTo(LogLevel.DEBUG);
        assertThat(Json.objects(json("log").get("levels"))).hasSize(LogCategory.values().length);
        assertRefused("\"loud\" is no level; there are off, error, warning, info, debug, trace", "log", "sip=loud");
    }

    @Test
    void tracesCalls() {
        assertThat(table("trace")).isEqualTo("No trace runs.\n");
        assertThat(table("trace", "caller=alice", "for", "2", "m"))
                .isEqualTo("caller=alice: 0 messages (0 bytes) of 0 calls, 2:00 left.\n");
        assertThat(Json.objects(json("trace").get("traces"))).hasSize(1);
        assertThat(table("trace", "off")).isEqualTo("No trace runs.\n");
    }

    @Test
    void bansAndUnbans() {
        assertThat(table("ban")).isEqualTo("0 bans.\n");
        assertThat(table("ban", "192.0.2.66", "for", "10", "m"))
                .contains("192.0.2.66", "by command")
                .endsWith("1 ban.\n");
        assertThat(Json.objects(json("ban").get("bans")).getFirst()).containsKey("until");
        assertThat(table("unban", "192.0.2.66")).isEqualTo("Done.\n");
        assertRefused("192.0.2.66 is not banned; see bans", "unban", "192.0.2.66");
    }

    @Test
    void reloadsAndReportsWhatIsWrong() {
        assertThat(table("reload")).isEqualTo("limits.source: 10 to 20\nIn force: 1 change.\n");
        proxy.refuseReload();
        assertRefused(
                "the old configuration stays, because the new one is wrong: proxy.yaml:3:1: there is no key limts",
                "reload");
    }

    @Test
    void stops() {
        assertThat(table("stop")).isEqualTo("The proxy ends.\n");
        assertThat(proxy.stoppedNow()).isFalse();
        table("stop", "now");
        assertThat(proxy.stoppedNow()).isTrue();
    }

    @Test
    void reportsThatNoProxyRuns() {
        String path = folder.resolve("none").toString();
        Offhook.Result result = Offhook.run("proxy", "calls", "--socket", path);
        assertThat(result.err())
                .isEqualTo("offhook: no proxy runs with the control socket " + path
                        + "; start one, or name its socket with --socket\n");
        assertThat(result.code()).isEqualTo(ExitCode.UNREADABLE);
    }

    @Test
    void refusesCsvAndUnknownCommands() {
        assertThat(run("calls", "--format", "csv").err())
                .startsWith("offhook: --format csv is not supported here; use table or json");
        assertThat(Offhook.run("proxy", "cals").err())
                .startsWith("offhook: there is no command proxy cals; there are calls, call, registrations,");
    }

    @Test
    void everyCommandHasHelp() {
        for (var nested : ProxySubcommands.ALL) {
            Offhook.Result help = Offhook.run("proxy", nested.name(), "--help");
            assertThat(help.code()).isZero();
            assertThat(help.out()).startsWith("Usage: offhook proxy " + nested.name());
            if (!nested.name().equals("users")) { // which changes a file
                assertThat(help.out()).contains("--socket");
            }
            assertThat(Offhook.run("help", "proxy", nested.name()).out()).isEqualTo(help.out());
            assertThat(Offhook.run("proxy", "--help").out()).contains("  " + nested.name());
        }
    }
}
