package io.offhook.research;

import java.util.List;

/**
 * The result of a suite.
 *
 * @param name of the suite, as on the command line
 * @param title of it
 * @param question what it asks, why, and what others found earlier; Markdown
 * @param measurements all figures, in the order to show them in
 * @param charts pictures of them
 * @param remarks Markdown, a paragraph each: what was missing on this machine, outliers, how to read the figures
 */
public record SuiteResult(
        String name,
        String title,
        String question,
        List<Measurement> measurements,
        List<Chart> charts,
        List<String> remarks) {

    /** The measurements of a group, in their order. */
    public List<Measurement> group(String group) {
        return measurements.stream().filter(m -> m.group().equals(group)).toList();
    }
}
