package io.offhook.cli.calls;

import static io.offhook.testkit.truth.Party.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Offhook;
import io.offhook.testkit.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AudioKeysOptionTest {
    @TempDir
    private Path folder;

    private String file = "";

    @BeforeEach
    void write() {
        file = Captures.write(
                new Traffic(4)
                        .call(call -> call.callId("a@b")
                                .answered()
                                .talk(1000)
                                .dtmfInAudio(CALLER, "12#")
                                .endedBy(CALLER, 500))
                        .capture(),
                folder,
                "audio.pcap");
    }

    @Test
    void jsonOfAllThreeCommandsHasTheKeys() {
        String keys = "\"audioDigits\":\"12#\"";
        assertThat(Offhook.done("calls", "--dtmf-audio", "--format", "json", file)
                        .out())
                .contains(keys, "\"audioDigits\":\"\"");
        assertThat(Offhook.done("streams", "--dtmf-audio", "--format", "json", file)
                        .out())
                .contains(keys);
        assertThat(Offhook.done("call", "a@b", "--dtmf-audio", "--format", "json", file)
                        .out())
                .contains(keys);
    }

    @Test
    void callsHaveThemAmongTheirKeys() {
        String key = "\"side\":\"caller\",\"key\":\"#\",\"durationMs\":";
        assertThat(Offhook.done("calls", "--dtmf-audio", "--format", "json", file)
                        .out())
                .containsPattern(Pattern.quote(key) + "[0-9]+,\"means\":\"audio\"}]");
        assertThat(Offhook.done("call", "1", "--dtmf-audio", "--format", "json", file)
                        .out())
                .contains(key);
        assertThat(Offhook.done("calls", "--format", "json", file).out()).contains("\"keys\":[]");
    }

    @Test
    void aTableOfCallsHasNoPlaceForThem() {
        Offhook.Result result = Offhook.run("calls", "--dtmf-audio", file);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("--dtmf-audio needs --format json or csv", "offhook call ID --dtmf-audio");
    }

    @Test
    void wiresharkFiguresHaveThemToo() {
        assertThat(Offhook.done("streams", "--dtmf-audio", "--wireshark", "--format", "csv", file)
                        .out())
                .contains(",12#");
    }

    @Test
    void withoutTheOptionNobodyListens() {
        assertThat(Offhook.done("calls", "--format", "json", file).out())
                .contains("\"audioDigits\":null")
                .doesNotContain("12#");
    }

    @Test
    void ladderAndStreamLinesSayThatTheyAreInTheAudio() {
        String out = new Offhook()
                .onTerminal(240)
                .with("call", "1", "--dtmf-audio", file)
                .out();
        assertThat(out.lines().filter(line -> line.contains("keys 12# in the audio")))
                .hasSize(1);
        assertThat(out.lines().filter(line -> line.contains("DTMF 1 2 # in the audio")))
                .hasSize(1);
        assertThat(out.lines().filter(line -> line.contains("from caller") && line.contains(" 12# in the audio")))
                .hasSize(1);
    }

    @Test
    void standardInputIsReadTwice() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(file));
        assertThat(new Offhook()
                        .input(bytes)
                        .with("streams", "--dtmf-audio", "--format", "json", "-")
                        .out())
                .contains("\"audioDigits\":\"12#\"");
    }

    @Test
    void aCaptureOnTheWireCannotBeReadAgain() {
        Offhook.Result result = Offhook.run("calls", "--dtmf-audio", "-i", "lo");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("--dtmf-audio cannot be combined with -i");
    }
}
