package io.offhook.research;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a suite.
 *
 * @param name of the suite, as on the command line
 * @param title of it
 * @param question what it asks, why, and what others found earlier; Markdown
 * @param measurements all figures, in the order to show them in
 * @param charts pictures of them
 * @param costs of techniques, where they are known; columns beside their figures
 * @param remarks Markdown, a paragraph each: what was missing on this machine, outliers, how to read the figures
 */
public record SuiteResult(
        String name,
        String title,
        String question,
        List<Measurement> measurements,
        List<Chart> charts,
        List<Cost> costs,
        List<String> remarks) {

    /** A report from before there were costs has none. */
    public SuiteResult {
        costs = costs == null ? List.of() : costs;
    }

    /** A result without costs. */
    public SuiteResult(
            String name,
            String title,
            String question,
            List<Measurement> measurements,
            List<Chart> charts,
            List<String> remarks) {
        this(name, title, question, measurements, charts, List.of(), remarks);
    }

    /** This result with costs. */
    public SuiteResult withCosts(List<Cost> costs) {
        return new SuiteResult(name, title, question, measurements, charts, costs, remarks);
    }

    /** The measurements of a group, in their order. */
    public List<Measurement> group(String group) {
        return measurements.stream().filter(m -> m.group().equals(group)).toList();
    }

    /** The cost of the technique of a measurement; null if it is not known. */
    @Nullable
    Cost cost(Measurement measurement) {
        return costs.stream()
                .filter(cost -> cost.group().equals(measurement.group())
                        && cost.technique().equals(measurement.technique()))
                .findFirst()
                .orElse(null);
    }
}
