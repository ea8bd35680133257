package io.offhook.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.store.CallStore;
import io.offhook.store.StoreSettings;
import io.offhook.store.query.Question;
import io.offhook.store.query.SqlSocket;
import io.offhook.testkit.truth.Csv;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlCommandTest {
    private static final String SAMPLE = "../../samples/calls.pcap";

    @TempDir
    private Path folder;

    @Test
    void asksCaptures() {
        assertThat(Offhook.done("sql", "SELECT count(*) AS calls FROM calls", SAMPLE, "--format", "csv")
                        .out())
                .isEqualTo("calls\r\n12\r\n");
        assertThat(Offhook.done("ask", "asr-acd", SAMPLE).out()).contains("asr_percent", "58.3", "13 rows.");
    }

    @Test
    void listsAndPrintsTheQuestions() {
        String listed = Offhook.done("ask").out();
        for (Question question : Question.all()) {
            assertThat(listed).contains(question.name() + " ").contains(question.summary());
        }
        assertThat(Offhook.done("ask", "one-way", "--print").out()).startsWith("-- Calls in which");
        assertThat(Offhook.run("ask", "no-such").err()).contains("worst-calls");
    }

    @Test
    void asksADatabaseThatCallsWrote() {
        String database = folder.resolve("calls.duckdb").toString();
        String sql = "SELECT (SELECT count(*) FROM calls) AS calls, (SELECT count(*) FROM messages) AS messages,"
                + " (SELECT count(*) FROM stream_intervals) > 0 AS intervals";
        for (int i = 0; i < 2; i++) { // what is loaded again is there once
            Offhook.done("calls", SAMPLE, "--bad", "--db", database);
            assertThat(Offhook.done("sql", sql, "--db", database, "--format", "json")
                            .out())
                    .isEqualToIgnoringWhitespace(
                            "{\"rows\":[{\"calls\":12,\"messages\":89,\"intervals\":true}],\"cut\":false}");
        }
    }

    @Test
    void asksTheProcessThatHoldsTheDatabase() throws Exception {
        Path file = folder.resolve("calls.duckdb");
        Offhook.done("calls", SAMPLE, "--db", file.toString());
        try (CallStore store = CallStore.open(file, StoreSettings.standard());
                SqlSocket _ = SqlSocket.listen(store)) {
            assertThat(Offhook.done("ask", "worst-calls", "--db", file.toString(), "--format", "csv")
                            .out())
                    .contains("3.94");
        }
    }

    @Test
    void refusesWhatIsNoQuestion() {
        Offhook.Result result = Offhook.run("sql", "DROP TABLE calls", SAMPLE);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("only a question is answered");
        assertThat(Offhook.run("sql", "SELECT", SAMPLE).err()).contains("SELECT");
        assertThat(Offhook.run("sql", "SELECT 1", SAMPLE, "--db", "x.duckdb").code())
                .isEqualTo(2);
        assertThat(Offhook.run("sql", "SELECT 1").err()).contains("there is no calls.duckdb here");
        assertThat(Offhook.run("sql", "SELECT 1", "--db", folder + "/none.duckdb")
                        .err())
                .contains("there is no such file");
    }

    @Test
    void saysThatTheAnswerIsCut() {
        Offhook.Result result = Offhook.run("sql", "FROM calls", SAMPLE, "--limit", "5", "--format", "csv");
        assertThat(Csv.parse(result.out())).hasSize(6);
        assertThat(result.err()).contains("more than 5 rows");
    }

    @Test
    void textOfTheNetworkDoesNotControlTheTerminal() {
        String sql = "SELECT 'a' || chr(27) || '[31m' || chr(8238) || chr(10) AS text";
        for (String format : new String[] {"table", "csv", "json"}) {
            assertThat(new Offhook()
                            .onTerminal(100)
                            .with("sql", sql, SAMPLE, "--format", format, "--color", "never")
                            .out())
                    .doesNotContain("\u001b")
                    .doesNotContain("\u202e");
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsSaid() throws Exception {
        Path file = Files.writeString(folder.resolve("x.duckdb"), "no database".repeat(1000));
        Offhook.Result result = Offhook.run("sql", "SELECT 1", "--db", file.toString());
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).contains(file.toString());
    }
}
