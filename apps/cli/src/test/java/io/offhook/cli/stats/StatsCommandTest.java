package io.offhook.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Captures;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Text;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Csv;
import io.offhook.testkit.truth.Party;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code offhook stats} of captures whose content is known. */
class StatsCommandTest {
    @TempDir
    static Path folder;

    private static String office;

    @BeforeAll
    static void writeCapture() {
        office = Captures.write(Captures.office().capture(), folder, "office.pcap");
    }

    private static Map<String, Object> statistics(String... args) {
        return Json.asObject(Json.object(Offhook.done(args).out()).get("statistics"));
    }

    @Test
    void twoOfFourAttemptsWereAnsweredAndAllReachedTheCallee() {
        Map<String, Object> statistics = statistics("stats", "--format", "json", office);
        assertThat(statistics)
                .containsEntry("calls", 4L)
                .containsEntry("attempts", 4L)
                .containsEntry("answered", 2L)
                .containsEntry("asrPercent", 50L)
                .containsEntry("nerPercent", 100L)
                .containsEntry("bhca", null);
        assertThat(Json.asObject(statistics.get("acd"))).containsEntry("calls", 2L);
        assertThat(Json.asObject(statistics.get("busyHour"))).containsEntry("attempts", 4L);
    }

    @Test
    void aCaptureOfMoreThanAnHourHasBusyHourCallAttempts() {
        Traffic traffic = new Traffic(3)
                .call(call -> call.invite().rejected(486, "Busy Here"))
                .at(5_000_000)
                .call(call -> call.invite().rejected(486, "Busy Here"))
                .call(call -> call.invite().rejected(486, "Busy Here"));
        String capture = Captures.write(traffic.capture(), folder, "long.pcap");
        Map<String, Object> statistics = statistics("stats", "--format", "json", capture);
        assertThat(statistics).containsEntry("bhca", 2L);
        assertThat(Offhook.done("stats", "--utc", capture).out())
                .containsPattern("Busy hour +from \\S+ on .*: 2 attempts");
    }

    @Test
    void filtersSelectTheCallsThatAreCounted() {
        assertThat(statistics("stats", "--format", "json", "--outcome", "busy", office))
                .containsEntry("calls", 1L)
                .containsEntry("asrPercent", 0L);
        assertThat(Offhook.done("stats", "--outcome", "busy", office).out()).containsPattern("Calls +1 of 4: 1 busy\n");
        assertThat(statistics("stats", "--format", "json", "--user-agent", "nobody", office))
                .containsEntry("calls", 0L)
                .containsEntry("asrPercent", null)
                .containsEntry("busyHour", null);
    }

    @Test
    void csvHasALineOfAllCallsAndOneForEachTrunk() {
        List<List<String>> rows =
                Csv.parse(Offhook.done("stats", "--format", "csv", office).out());
        assertThat(rows.getFirst()).isEqualTo(StatsFields.COLUMNS);
        assertThat(rows).allSatisfy(row -> assertThat(row).hasSameSizeAs(StatsFields.COLUMNS));
        assertThat(rows.get(1).subList(0, 5)).containsExactly("", "", "4", "4", "2");
        assertThat(rows.get(2).get(1)).isIn("from", "to");
        assertThat(rows).hasSizeGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100, 200})
    void theTextFitsTheTerminal(int columns) {
        Traffic traffic = new Traffic(5)
                .call(call -> call.ipv6()
                        .software(Party.CALLER, "A rather long name of a telephone (model 7, firmware 1.2.3-456)")
                        .answered()
                        .talk(1000)
                        .hangUp(Party.CALLER));
        String capture = Captures.write(traffic.capture(), folder, "wide.pcap");
        Offhook.Result result =
                new Offhook().onTerminal(columns).environment("NO_COLOR", "1").with("stats", capture);
        assertThat(result.out().lines())
                .filteredOn(line -> line.matches(" +[0-9]+ +[0-9.]+ .*|(from|to) .*"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(columns));
        assertThat(result.out()).contains("ASR        100.0 %, 1 answered");
    }
}
