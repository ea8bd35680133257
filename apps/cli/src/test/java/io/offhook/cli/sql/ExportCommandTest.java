package io.offhook.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    @TempDir
    private Path folder;

    private String database = "";

    @BeforeEach
    void load() {
        database = folder.resolve("calls.duckdb").toString();
        Offhook.done("calls", SAMPLE, "--db", database);
    }

    private String out(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void writesAllTablesByDay() {
        assertThat(Offhook.done("export", out("x"), "--db", database).out())
                .contains("calls: 12 rows\n")
                .contains("drops: 0 rows\n");
        assertThat(folder.resolve("x/calls/day=2026-11-21/calls.parquet")).isNotEmptyFile();
        assertThat(folder.resolve("x/messages/day=2026-11-21/messages.parquet")).isNotEmptyFile();
    }

    @Test
    void writesWhatIsNamedInOneFile() throws Exception {
        assertThat(Offhook.done("export", out("x"), "calls", "streams", "--db", database, "--format", "csv")
                        .out())
                .startsWith("calls: 12 rows\nstreams: ");
        assertThat(Files.readAllLines(folder.resolve("x/calls.csv"))).hasSize(13);
        Offhook.done(
                "export", out("y"), "calls", "--db", database, "--format", "json", "--since", "2026-11-21T12:20:00Z");
        assertThat(Files.readAllLines(folder.resolve("y/calls.json")))
                .hasSizeBetween(1, 11)
                .allMatch(line -> line.startsWith("{\"id\":"));
    }

    @Test
    void overwritesNothing() {
        Offhook.done("export", out("x"), "calls", "--db", database);
        Offhook.Result again = Offhook.run("export", out("x"), "calls", "--db", database);
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("calls.parquet is there already");
    }

    @Test
    void saysWhatCannotBe() {
        Offhook.Result table = Offhook.run("export", out("x"), "nothing", "--db", database);
        assertThat(table.code()).isEqualTo(2);
        assertThat(table.err()).contains("there is no table nothing").contains("message_texts");
        Offhook.Result file = Offhook.run("export", out("y"), "--db", out("none.duckdb"));
        assertThat(file.code()).isEqualTo(3);
        assertThat(file.err()).contains("none.duckdb");
        assertThat(folder.resolve("y")).doesNotExist();
    }
}
