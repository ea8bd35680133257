package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class CapabilitiesTest {
    static boolean canDrop() {
        return System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/bin/setpriv"));
    }

    /** What it has in a process that was started so. */
    private static String reported(String... before) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(before));
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Telling.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    /** The process. */
    static final class Telling {
        private Telling() {}

        public static void main(String[] arguments) {
            System.out.println(
                    Capabilities.has(Capabilities.NET_ADMIN) + " " + Capabilities.has(Capabilities.SYS_ADMIN));
        }
    }

    @Test
    @EnabledIf(value = "canDrop", disabledReason = "needs root and setpriv (util-linux)")
    void reportsWhatTheProcessWasLeftWith() throws Exception {
        assertThat(reported("setpriv", "--bounding-set=-all,+net_admin")).isEqualTo("true false");
        assertThat(reported("setpriv", "--bounding-set=-net_admin")).isEqualTo("false true");
        assertThat(reported("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
                .isEqualTo("false false");
    }
}
