package io.offhook.research;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {
    private static final SuiteResult RESULT = new SuiteResult(
            "reads",
            "Reads",
            "What does a read cost?",
            List.of(
                    new Measurement("in order", "objects", 300, 1.5, "ns/op", 25, null),
                    new Measurement("in order", "in place", 2, null, "ns/op", 25, "no outliers"),
                    new Measurement("no chart", "whatever", 0.00123, null, "%", 1, null)),
            List.of(new Chart("in order", "Reads in order", "in place")),
            List.of("Read `this` first."));

    @TempDir
    private Path folder;

    private static BenchReport.Run run(String processor) {
        return new BenchReport.Run(Map.of("processor", processor), Effort.FULL, List.of(RESULT));
    }

    private String written(BenchReport report) throws Exception {
        new ReportMarkdown(report, new ReportCharts(folder)).write(folder.resolve("report.md"));
        return Files.readString(folder.resolve("report.md"));
    }

    @Test
    void readsWhatItWrote() throws Exception {
        BenchReport report = new BenchReport(List.of(run("a"), run("b")));
        report.writeJson(folder.resolve("report.json"));
        assertThat(BenchReport.read(folder.resolve("report.json"))).isEqualTo(report);
    }

    @Test
    void reportsEachFigureAndItsRatioToTheBaseline() throws Exception {
        assertThat(written(new BenchReport(List.of(run("a")))))
                .contains("| objects | 300 | 1.50 | 150 | 25 |  |\n| in place | 2.00 |  | 1.00 | 25 | no outliers |")
                .contains("| whatever | 0.00123 |  | 1 |")
                .contains("Read `this` first.");
    }

    @Test
    void hasColumnsForCostsWhereThereAreSome() throws Exception {
        SuiteResult withCosts = RESULT.withCosts(List.of(new Cost("in order", "in place", "0", "1 a round", 12)));
        BenchReport report = new BenchReport(
                List.of(new BenchReport.Run(Map.of("processor", "a"), Effort.FULL, List.of(withCosts))));
        assertThat(written(report))
                .contains("| technique | ns/op | ± | times in place | samples | copies | calls | lines | |")
                .contains("| objects | 300 | 1.50 | 150 | 25 | | | |  |")
                .contains("| in place | 2.00 |  | 1.00 | 25 | 0 | 1 a round | 12 | no outliers |")
                .contains("| technique | % | ± | samples |\n");
        report.writeJson(folder.resolve("report.json"));
        assertThat(BenchReport.read(folder.resolve("report.json"))).isEqualTo(report);
    }

    @Test
    void readsAReportFromBeforeThereWereCosts() throws Exception {
        BenchReport report = new BenchReport(List.of(run("a")));
        report.writeJson(folder.resolve("report.json"));
        String json = Files.readString(folder.resolve("report.json"));
        String old = json.replaceAll("\"costs\" : \\[ \\],\\s+", "");
        assertThat(old).isNotEqualTo(json);
        Files.writeString(folder.resolve("old.json"), old);
        assertThat(BenchReport.read(folder.resolve("old.json"))).isEqualTo(report);
    }

    @Test
    void drawsAbsoluteAndRelativeWithALogarithmicScaleForLargeFactors() throws Exception {
        assertThat(written(new BenchReport(List.of(run("a")))))
                .contains("](reads-in-order.svg)")
                .contains("](reads-in-order-relative.svg)");
        assertThat(folder.resolve("reads-in-order.svg")).content().contains("objects", "in place", "logarithmic");
        assertThat(folder.resolve("reads-in-order-relative.svg")).content().contains("times in place");
    }

    @Test
    void putsTheMachinesOfMergedReportsSideBySide() throws Exception {
        String text = written(new BenchReport(List.of(run("an old one"), run("a new one"))));
        assertThat(text).contains("| processor | an old one | a new one |").contains("Machine 1:", "Machine 2:");
        assertThat(folder.resolve("reads-in-order.svg")).content().contains("1: an old one", "2: a new one");
    }

    @Test
    void saysThatAQuickRunMeansLittle() throws Exception {
        BenchReport.Run quick = new BenchReport.Run(Map.of(), Effort.QUICK, List.of(RESULT));
        assertThat(written(new BenchReport(List.of(quick)))).contains("A quick run");
    }

    @Test
    void makesWordsOfMethodNames() {
        assertThat(Jmh.words("nativeAndMapped")).isEqualTo("native and mapped");
        assertThat(Jmh.words("JNILooksUpAddress")).isEqualTo("JNI looks up address");
        assertThat(Jmh.words("empty")).isEqualTo("empty");
        assertThat(Jmh.words("viaFFM")).isEqualTo("via FFM");
    }

    @Test
    void writesThreeDigitsOfAFigure() {
        assertThat(ReportMarkdown.number(0.0001234)).isEqualTo("0.000123");
        assertThat(ReportMarkdown.number(12.345)).isEqualTo("12.3");
        assertThat(ReportMarkdown.number(12345.6)).isEqualTo("12,346");
        assertThat(ReportMarkdown.number(0)).isEqualTo("0");
    }
}
