package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.offhook.linux.raw.NativeSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TerminalSizeTest {
    @Test
    void isUnknownWhereThereIsNoTerminal() {
        assertThat(TerminalSize.of(-1)).isNull();
        try (NativeSocket socket = NativeSocket.open(2, 2, 0, "open a socket")) {
            assertThat(TerminalSize.of(socket.descriptor())).isNull();
        }
    }

    /** In a terminal that script(1) makes, and stty(1) sizes. */
    @Test
    void isThatOfTheWindow() throws IOException, InterruptedException {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/script")))
                .as("script(1)")
                .isTrue();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = "stty rows 37 cols 91; " + java + " --enable-native-access=ALL-UNNAMED -cp "
                + System.getProperty("java.class.path") + " '" + Size.class.getName() + "'";
        Process process = new ProcessBuilder("script", "-qec", command, "/dev/null")
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("TerminalSize[lines=37, columns=91]");
    }

    /** Prints that of its standard output. */
    static final class Size {
        private Size() {}

        public static void main(String[] args) {
            System.out.println(TerminalSize.of(1));
        }
    }
}
