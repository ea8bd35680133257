package io.offhook.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Main;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.JavaProcess;
import io.offhook.testkit.peers.LoopbackPorts;
import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The page follows calls while sipp makes them, without being loaded again. */
@DisabledIf(
        value = "io.offhook.browser.LiveCallTest#isImpossible",
        disabledReason = "needs root, sipp, chromium and chromium-driver")
@Timeout(300)
class LiveCallTest {
    private static final String TALK_MS = "3000";

    @TempDir
    private Path folder;

    static boolean isImpossible() {
        return Browser.isMissing() || Program.isMissing("sipp", "-v") || !Network.isPossible();
    }

    private Process sipp(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("sipp", "-i", "127.0.0.1", "-nostdin", "-m", "1"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        return process;
    }

    @Test
    void saysWhatIsGoneOfAnOldCall() throws Exception {
        Path database = folder.resolve("old.duckdb");
        Path config = Files.writeString(folder.resolve("serve.yaml"), "retention: {tables: 1h, texts: 1h}\n");
        Process stored = new ProcessBuilder(JavaProcess.command(
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        Main.class,
                        "calls",
                        "../../samples/calls.pcap",
                        "--db",
                        database.toString()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(stored.waitFor()).isZero();
        int port = LoopbackPorts.free();
        try (Served served = Served.start(
                        "-i",
                        "lo",
                        "--filter",
                        "udp port " + port,
                        "--db",
                        database.toString(),
                        "--config",
                        config.toString());
                Browser browser = Browser.start()) {
            browser.open(served.at("/?text=alice"));
            browser.click("#calls .grid-row[data-key]");
            browser.await("its page", () -> browser.address().contains("/calls/"));
            String call = browser.address();
            browser.await("what is gone", () -> {
                browser.open(call);
                browser.one("#call-head");
                return !browser.all("#gone").isEmpty();
            });
            assertThat(browser.text("#gone"))
                    .startsWith("Only a part of this call is kept.")
                    .contains("the texts of its messages");
            assertThat(browser.text("#message-body")).isEqualTo("The text of this message is not kept.");
            assertThat(browser.text("offhook-sdp-view")).isEqualTo("Deleted with the texts of the messages.");
            assertThat(browser.text("offhook-where-view")).isEqualTo("Deleted with the report of this call.");
            assertThat(browser.text("#stream-1 .figures")).doesNotContain("undefined", "null", "NaN", "mean \n");
            browser.isAccessible();
            browser.picture("gone-1400");
            browser.hadNoErrors();
        }
    }

    @Test
    void showsACallAsItGoesOnAndItsVerdictWhenItIsOver() throws Exception {
        int port = LoopbackPorts.free();
        try (Served served = Served.start("-i", "lo", "--filter", "udp port " + port);
                Browser browser = Browser.start()) {
            browser.open(served.at("/"));
            browser.await("no calls", () -> browser.text("#calls").contains("No calls yet"));
            browser.run("window.isSame = true");
            Process callee = sipp("-sn", "uas", "-p", Integer.toString(port));
            Process caller = sipp(
                    "-sn", "uac", "-p", Integer.toString(LoopbackPorts.free()), "-d", TALK_MS, "127.0.0.1:" + port);
            try {
                browser.await(
                        "the call as it goes on", () -> browser.text("#calls").contains("ongoing"));
                browser.await("1 running", () -> browser.text("#total-running").contains("1"));
                String begun = browser.text("#calls .elapsed");
                browser.await(
                        "its length", () -> !browser.text("#calls .elapsed").equals(begun));
                browser.picture("live-1400");
                browser.click("#calls .grid-row[data-key]");
                browser.await("its page", () -> browser.text("#call-head").contains("running"));
                browser.await("its end", () -> browser.text("#verdict").contains("hung up by the caller"));
                assertThat(browser.text("#ladder")).contains("INVITE", "200 OK", "BYE");
                browser.back();
                browser.await("its outcome", () -> browser.text("#calls").contains("answered"));
                browser.await(
                        "0 running",
                        () -> browser.text("#total-running .figure").equals("0"));
                assertThat(browser.text("#calls")).contains("sipp", "0:03");
                assertThat(browser.is("window.isSame")).isTrue();
                browser.hadNoErrors();
                assertThat(caller.waitFor()).isZero();
            } finally {
                caller.destroy();
                callee.destroy();
                caller.waitFor();
                callee.waitFor();
            }
        }
    }
}
