package io.offhook.research;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A report: the results of one machine, or of several if reports were merged.
 *
 * @param runs one per machine
 */
record BenchReport(List<Run> runs) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * The results of one machine.
     *
     * @param machine what {@link Machine} says of it
     * @param effort whether the figures are reliable
     * @param suites their results
     */
    record Run(Map<String, String> machine, Effort effort, List<SuiteResult> suites) {}

    static BenchReport read(Path json) throws IOException {
        return JSON.readValue(Files.readAllBytes(json), BenchReport.class);
    }

    void writeJson(Path json) throws IOException {
        Files.writeString(json, JSON.writeValueAsString(this) + "\n");
    }
}
