package io.offhook.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.report.fields.CsvFields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalCsvTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void csvIsMaskedOnATerminalOnly(boolean isTerminal) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                out,
                OutputStream.nullOutputStream(),
                InputStream.nullInputStream(),
                Map.of(),
                StandardCharsets.UTF_8,
                isTerminal ? "1" : "");
        CsvFields csv = terminal.csv(List.of("a"));
        csv.field("a", "x\u001b[2J\r\n\u009b");
        csv.endRecord();
        terminal.flush();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(isTerminal ? "a\r\n\"x\ufffd[2J\r\n\ufffd\"\r\n" : "a\r\n\"x\u001b[2J\r\n\u009b\"\r\n");
    }
}
