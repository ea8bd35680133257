package io.offhook.web.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandSenderTest {
    private static final long MINUTE_NS = 60_000_000_000L;

    @TempDir
    Path folder;

    private Path script(String text) throws IOException {
        Path script = folder.resolve("notify.sh");
        Files.writeString(script, "#!/bin/sh\n" + text);
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    @Test
    void givesTheNoticeOnStandardInputAndArgumentsAsTheyAre() throws Exception {
        Path out = folder.resolve("out");
        Path script = script("printf '%s\\n' \"$2\" > \"$1\"; cat >> \"$1\"\n");
        String argument = "$(touch " + folder.resolve("pwned") + "); `id` | x";
        new CommandSender(new TargetConfig.Command(List.of(script.toString(), out.toString(), argument), MINUTE_NS))
                .send(Notices.hostile());
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).isEqualTo(argument);
        assertThat(lines.get(1)).startsWith("{\"state\":\"raised\"").contains("\\r\\nBcc");
        assertThat(folder.resolve("pwned")).doesNotExist();
    }

    @Test
    void needsNoProgramThatReads() throws Exception {
        new CommandSender(new TargetConfig.Command(List.of("true"), MINUTE_NS)).send(Notices.hostile());
    }

    @Test
    void failsIfTheProgramDoes() throws Exception {
        Path script = script("exit 3\n");
        assertThatThrownBy(() -> new CommandSender(new TargetConfig.Command(List.of(script.toString()), MINUTE_NS))
                        .send(Notices.hostile()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("3");
        assertThatThrownBy(() -> new CommandSender(new TargetConfig.Command(
                                List.of(folder.resolve("none").toString()), MINUTE_NS))
                        .send(Notices.hostile()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void killsAProgramThatTakesTooLongWithItsChildren() throws Exception {
        Path pids = folder.resolve("pids");
        Path script = script("sleep 600 &\necho $$ $! > " + pids + ".part; mv " + pids + ".part " + pids + "\nwait\n");
        CommandSender sender = new CommandSender(new TargetConfig.Command(List.of(script.toString()), 1_500_000_000L));
        assertThatThrownBy(() -> sender.send(Notices.hostile()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too long");
        for (String pid : Files.readString(pids).strip().split(" ", -1)) {
            ProcessHandle left = ProcessHandle.of(Long.parseLong(pid)).orElse(null);
            if (left != null) {
                left.onExit().get(60, TimeUnit.SECONDS);
            }
        }
    }
}
