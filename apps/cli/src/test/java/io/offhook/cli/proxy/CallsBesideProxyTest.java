package io.offhook.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook calls -i lo} beside {@code offhook proxy}, which calls of sipp go through. */
@EnabledIf(value = "io.offhook.cli.CaptureNetwork#isPossible", disabledReason = "needs root and ip (iproute2)")
@Timeout(240)
class CallsBesideProxyTest {
    private static final int PROXY = 5070;
    private static final int CALLEE = 5080;
    private static final int CALLS = 3;
    private static final long PATIENCE_S = 60;

    @TempDir
    Path folder;

    @AutoClose
    private final CaptureNetwork network = new CaptureNetwork();

    @Test
    void eachCallThroughTheProxyIsOneCallWithTwoLegsAndTheMessagesThatTheProxyRemembers() throws Exception {
        assumeFalse(Sipp.isMissing(), "sipp is not installed");
        Path configuration = Files.writeString(folder.resolve("proxy.yaml"), """
                listeners: [{name: udp, address: 127.0.0.1, port: %d}]
                lanes: 2
                relay: {allow: [127.0.0.0/8]}
                control: {socket: %s}
                """.formatted(PROXY, socket()));
        CaptureNetwork.Running proxy = network.offhook("proxy", "--config", configuration.toString());
        awaitPort(proxy, PROXY);
        CaptureNetwork.Running calls = network.offhook("calls", "-i", "lo", "--format", "json", "-w", captured())
                .awaitError("Ctrl-C ends it");
        CaptureNetwork.Running callee = sipp("callee", CALLEE, callee());
        awaitPort(callee, CALLEE);
        CaptureNetwork.Running caller =
                sipp("caller", 5090, caller(), "-rsa", "127.0.0.1:" + PROXY, "127.0.0.1:" + CALLEE);
        assertThat(caller.code()).as(caller.out()).isZero();
        assertThat(callee.code()).as(callee.out()).isZero();
        calls.signal("INT");

        Map<String, Map<String, Object>> last = new LinkedHashMap<>();
        for (String line : calls.out().strip().lines().toList()) {
            Map<String, Object> object = Json.object(line);
            if (!object.containsKey("capture")) {
                last.put(Json.text(object, "callId"), object);
            }
        }
        assertThat(last.values()).hasSize(CALLS).allSatisfy(call -> {
            assertThat(call)
                    .containsEntry("from", "alice")
                    .containsEntry("to", "bob")
                    .containsEntry("finalStatus", 200L)
                    .containsEntry("hungUpBy", "caller");
            assertThat(Json.objects(call.get("legs")))
                    .extracting(leg -> leg.get("source") + " " + leg.get("destination"))
                    .containsExactlyInAnyOrder("127.0.0.1:5090 127.0.0.1:5070", "127.0.0.1:5070 127.0.0.1:5080");
        });
        for (String callId : last.keySet()) {
            assertThat(ofTheProxy(callId)).hasSizeGreaterThan(11).isEqualTo(ofTheCapture(callId));
        }
        assertThat(proxy.signal("TERM").err()).doesNotContain("internal error");
    }

    private String captured() {
        return folder.resolve("captured.pcapng").toString();
    }

    private String socket() {
        return folder.resolve("control.sock").toString();
    }

    /** The messages of a call as the proxy remembers them: their ends, and what they are. */
    private List<String> ofTheProxy(String callId) {
        Offhook.Result result = Offhook.run("proxy", "call", callId, "--socket", socket(), "--format", "json");
        assertThat(result.code()).as(result.err()).isZero();
        return Json.objects(Json.object(result.out()).get("messages")).stream()
                .map(message -> message.get("from") + " > " + message.get("to") + " " + message.get("method") + " "
                        + message.get("status"))
                .sorted()
                .toList();
    }

    /** The same of the capture on lo. */
    private List<String> ofTheCapture(String callId) {
        Offhook.Result result = Offhook.run("call", callId, captured(), "--format", "json");
        assertThat(result.code()).as(result.err()).isZero();
        return Json.objects(Json.object(result.out()).get("messages")).stream()
                .map(message -> message.get("source") + " > " + message.get("destination") + " "
                        + (message.get("method") == null ? message.get("cseqMethod") : message.get("method")) + " "
                        + (message.get("statusCode") == null ? 0 : message.get("statusCode")))
                .sorted()
                .toList();
    }

    private static SippScenario caller() {
        return SippScenario.caller()
                .request("INVITE")
                .mayReceive(100)
                .receive(180)
                .receive(200)
                .ackSuccess()
                .inDialog("BYE")
                .mayReceive(100)
                .receive(200);
    }

    private static SippScenario callee() {
        return SippScenario.callee()
                .allowsRepeats()
                .receive("INVITE")
                .answer(180)
                .answer(200)
                .receive("ACK")
                .receive("BYE")
                .answerInDialog(200);
    }

    private CaptureNetwork.Running sipp(String name, int port, SippScenario scenario, String... words)
            throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".xml"), scenario.xml());
        String[] fixed = {
            "sipp",
            "-sf",
            file.toString(),
            "-i",
            "127.0.0.1",
            "-p",
            Integer.toString(port),
            "-m",
            Integer.toString(CALLS),
            "-l",
            "1",
            "-nostdin",
            "-timeout",
            PATIENCE_S + "s",
            "-timeout_error"
        };
        String[] all = new String[fixed.length + words.length];
        System.arraycopy(fixed, 0, all, 0, fixed.length);
        System.arraycopy(words, 0, all, fixed.length, words.length);
        return network.right(all);
    }

    /** Waits until a process has a UDP port in its namespace. */
    private static void awaitPort(CaptureNetwork.Running running, int port) throws Exception {
        Path table = Path.of("/proc/" + running.process().pid() + "/net/udp");
        String wanted = String.format(Locale.ROOT, ":%04X ", port);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (true) {
            if (!running.process().isAlive()) {
                throw new AssertionError("it ended with " + running.code() + ": " + running.err());
            }
            if (Files.readAllLines(table).stream().anyMatch(line -> line.contains(wanted))) {
                return;
            }
            assertThat(System.nanoTime() - end)
                    .as("port " + port + " is opened")
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(20); // it has just been started
        }
    }
}
