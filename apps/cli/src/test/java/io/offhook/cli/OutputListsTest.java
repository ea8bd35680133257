package io.offhook.cli;

import static io.offhook.cli.OutputDocument.documented;
import static io.offhook.cli.OutputDocument.matches;
import static io.offhook.cli.OutputDocument.section;
import static io.offhook.cli.OutputDocument.source;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.calls.CallOutcomes;
import io.offhook.cli.command.ExitCode;
import io.offhook.flow.fragment.FragmentCounter;
import io.offhook.flow.tcp.TcpCounter;
import io.offhook.report.RegistrationOutcome;
import io.offhook.report.fields.CsvColumns;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Csv;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lists of docs/OUTPUT.md against the sources: findings, counters, outcomes, exit codes. */
class OutputListsTest {
    @TempDir
    private Path folder;

    /** Every rule is in the table, and nothing else is. */
    @Test
    void findingsAreThoseOfTheSources() throws IOException {
        Set<String> ids = new TreeSet<>();
        for (String rules : List.of("Socket", "Kernel", "Interface", "Processor", "Host")) {
            String source = source("wire/doctor/src/main/java/io/offhook/doctor/" + rules + "Rules.java");
            ids.addAll(matches("(?:fine|add)\\(\\s*(?:[^;\"]*?,\\s*)?\"([a-z]+(?:-[a-z]+)*)\",", source));
            ids.addAll(matches("\\? \"([a-z]+-[a-z]+)\" : \"[a-z-]+\"", source));
        }
        String section = section("### Finding");
        String table = section.substring(section.indexOf("| id | what is judged"), section.indexOf("With `--watch`"));
        Set<String> documented = new TreeSet<>();
        table.lines().skip(2).forEach(row -> {
            if (row.startsWith("| ")) {
                documented.addAll(matches("`([a-z-]+)`", row.substring(0, row.indexOf('|', 1))));
            }
        });
        assertThat(ids).isEqualTo(documented);
    }

    @Test
    void countersAreThoseOfTheSources() throws IOException {
        String analysis = source("voip/analysis/src/main/java/io/offhook/analysis/AnalysisReport.java")
                + source("voip/analysis/src/main/java/io/offhook/analysis/PipelineCounters.java");
        String calls = source("voip/calls/src/main/java/io/offhook/calls/ReportCounters.java");
        Set<String> names = new TreeSet<>();
        names.addAll(matches("(?:count|sum)\\(\"(\\w+)\"", analysis));
        names.addAll(matches("sum\\(sums, \"(\\w+)\"", calls));
        names.addAll(matches(
                "[A-Z]+\\(\"(\\w+)\"\\)", source("voip/analysis/src/main/java/io/offhook/analysis/Failures.java")));
        names.addAll(matches(
                "accept\\(\"(\\w+)\"", source("voip/decrypt/src/main/java/io/offhook/decrypt/TlsCounters.java")));
        for (String constant : matches("FragmentCounter\\.([A-Z_]+)\\b", analysis)) {
            names.add(FragmentCounter.valueOf(constant).label());
        }
        for (String constant : matches("TcpCounter\\.([A-Z_]+)\\b", analysis)) {
            names.add(TcpCounter.valueOf(constant).label());
        }
        assertThat(documented("## Counters")).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource({
        "486, busy",
        "600, busy",
        "603, declined",
        "607, declined",
        "608, declined",
        "404, unavailable",
        "408, unavailable",
        "410, unavailable",
        "480, unavailable",
        "302, redirected",
        "300, redirected",
        "403, failed",
        "503, failed",
        "488, failed",
        "487, failed"
    })
    void outcomesAreAsListed(int status, String outcome) {
        String capture = Captures.write(
                new Traffic(status)
                        .call(call -> call.invite().trying().rejected(status, "Why"))
                        .capture(),
                folder,
                "rejected-" + status + ".pcap");
        List<List<String>> rows =
                Csv.parse(Offhook.run("calls", "--format", "csv", capture).out());
        assertThat(rows.get(1).get(CsvColumns.CALL.indexOf("outcome"))).isEqualTo(outcome);
        assertThat(documentedOutcome(status)).isEqualTo(outcome);
    }

    /** By the row that has the status, else by the one for its range. */
    private static String documentedOutcome(int status) {
        String range = status < 400 ? "300 to 399 that nothing followed" : "any other from 400 up";
        String found = "";
        Matcher row = Pattern.compile("(?m)^\\| (.+) \\| `(\\w+)` \\|$").matcher(section("## Outcomes"));
        while (row.find()) {
            if (List.of(row.group(1).split(", ", -1)).contains(Integer.toString(status))) {
                return row.group(2);
            }
            found = row.group(1).equals(range) ? row.group(2) : found;
        }
        return found;
    }

    @Test
    void exitCodesAreThoseOfTheProcess() throws ReflectiveOperationException {
        Set<String> codes = new TreeSet<>();
        for (java.lang.reflect.Field field : ExitCode.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                codes.add(Integer.toString(field.getInt(null)));
            }
        }
        assertThat(matches("(?m)^\\| ([0-9]+) \\|", section("## Exit codes"))).isEqualTo(codes);
    }

    @Test
    void outcomeLabelsAreAllListed() {
        for (String label : CallOutcomes.LABELS) {
            assertThat(section("## Outcomes")).contains("`" + label + "`");
        }
        for (String label : RegistrationOutcome.labels()) {
            assertThat(section("### Registration")).contains("`" + label + "`");
        }
    }
}
