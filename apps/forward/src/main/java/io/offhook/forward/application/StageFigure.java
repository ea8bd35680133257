package io.offhook.forward.application;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A figure of a stage, besides its drops, which the forwarder counts. */
public sealed interface StageFigure {
    /**
     * The matches of a rule over all lanes, since the rules were installed.
     *
     * @param action its action in the configuration; rules with {@code count} are shown in the text output
     * @param expression its filter expression
     * @param packets the packets that it matched
     */
    record RuleCount(String action, String expression, long packets) implements StageFigure {}

    /**
     * A table with a limit.
     *
     * @param stage its name
     * @param entries its entries, including expired ones that were not replaced yet
     * @param lost how many entries were lost for want of room
     * @param loss what happened to these, and the key that gives more room:
     *     {@code addresses gave way to others (key table-size)}
     */
    record TableCount(String stage, int entries, long lost, String loss) implements StageFigure {}

    /**
     * A file that packets are written to.
     *
     * @param file the path of the file
     * @param packets the packets written
     * @param dropped the packets missing in it
     * @param failure why writing stopped; null while it continues
     */
    record FileCount(
            Path file, long packets, long dropped, @Nullable RuntimeException failure) implements StageFigure {}
}
