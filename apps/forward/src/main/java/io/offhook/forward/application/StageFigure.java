package io.offhook.forward.application;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A figure of a stage beyond what it dropped, which the forwarder counts. */
public sealed interface StageFigure {
    /**
     * What a rule has matched, of all lanes, since the rules were taken.
     *
     * @param action what it does, as the configuration has it; {@code count} is shown to people
     * @param expression which packets
     * @param packets that it matched
     */
    record RuleCount(String action, String expression, long packets) implements StageFigure {}

    /**
     * A table with a limit.
     *
     * @param stage its name
     * @param entries in it, with those whose time is over and whose place nobody took
     * @param lost how many it has not for want of room
     * @param loss what became of these, with the key that gives more room: {@code addresses gave way to others (key
     *     table-size)}
     */
    record TableCount(String stage, int entries, long lost, String loss) implements StageFigure {}

    /**
     * A file that packets are written to.
     *
     * @param file where it is
     * @param packets written
     * @param dropped that it lacks
     * @param failure why it is written no more; null while it is
     */
    record FileCount(
            Path file, long packets, long dropped, @Nullable RuntimeException failure) implements StageFigure {}
}
