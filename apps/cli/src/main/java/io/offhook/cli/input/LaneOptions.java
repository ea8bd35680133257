package io.offhook.cli.input;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.linux.CpuAffinity;
import io.offhook.live.IdleStrategy;
import io.offhook.live.LanePlacement;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options for how lanes wait and on which processors they run.
 *
 * @param idleStrategy what a lane does while there is no work
 * @param placement pins lanes to processors and samples where they run
 * @param isReported whether the placement is printed at the end
 */
public record LaneOptions(IdleStrategy idleStrategy, LanePlacement placement, boolean isReported) {
    /** {@code --idle}, named as {@link IdleStrategy}, so that describing options loads no class of live capture. */
    enum Idle {
        SPIN,
        YIELD,
        PARK;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Adds the options. */
    public static void describe(CommandSpec spec) {
        spec.addOption(
                "--idle",
                "HOW",
                Idle.class,
                "How to wait: park (default; sleeps), yield (lets other threads run) or spin (needs a processor"
                        + " of its own).");
        spec.addOption("--cpu", "LIST", String.class, "Pin lanes to these processors, in this order: 2 or 0-3,8.");
        spec.addFlag(
                "--pin",
                "Pin lanes to the processors of --cpu, or to all in order, and report at the end where they"
                        + " really ran.");
    }

    public static LaneOptions of(ParseResult arguments) {
        boolean isPinned = arguments.hasMatchedOption("--pin");
        String list = arguments.optionValue("--cpu", String.class);
        return new LaneOptions(idleStrategy(arguments), placement(list, isPinned), isPinned);
    }

    /** The strategy of {@code --idle}; the command must have the option. */
    static IdleStrategy idleStrategy(ParseResult arguments) {
        return IdleStrategy.valueOf(
                arguments.matchedOptionValue("--idle", Idle.PARK).name());
    }

    private static LanePlacement placement(@Nullable String list, boolean isPinned) {
        if (list == null) {
            return isPinned ? LanePlacement.on(CpuAffinity.processors()) : LanePlacement.anywhere();
        }
        try {
            return LanePlacement.on(CpuAffinity.parse(list));
        } catch (IllegalArgumentException e) {
            throw new MisuseException("--cpu " + list + ": " + e.getMessage());
        }
    }

    /** The placement of lanes if requested; otherwise empty. */
    public List<LanePlacement.Lane> reported() {
        return isReported ? placement.lanes() : List.of();
    }

    /** Appends one line per lane. */
    public static void text(List<LanePlacement.Lane> lanes, Appendable out) throws IOException {
        for (LanePlacement.Lane lane : lanes) {
            long looks =
                    lane.seenOn().values().stream().mapToLong(Long::longValue).sum();
            String seen = lane.seenOn().entrySet().stream()
                    .map(entry -> entry.getKey() + " (" + entry.getValue() + " of " + looks + ")")
                    .collect(Collectors.joining(", "));
            out.append("Lane ")
                    .append(lane.name())
                    .append(": ")
                    .append(lane.pinnedTo() < 0 ? "not pinned" : "pinned to processor " + lane.pinnedTo())
                    .append(", seen on ")
                    .append(seen)
                    .append("; gave it away ")
                    .append(Words.count(lane.status().voluntarySwitches(), "time"))
                    .append(", lost it ")
                    .append(Words.count(lane.status().involuntarySwitches(), "time"))
                    .append(time("; ran ", lane.status().ranNs()))
                    .append(time(", waited for one ", lane.status().waitedNs()))
                    .append(".\n");
        }
    }

    private static String time(String what, long ns) {
        return ns < 0 ? "" : what + Decimals.text(ns / 1e9, 3) + " s";
    }

    public static void write(FieldWriter out, List<LanePlacement.Lane> lanes) {
        out.array("lanes");
        for (LanePlacement.Lane lane : lanes) {
            out.object().field("name", lane.name());
            if (lane.pinnedTo() < 0) {
                out.nullField("pinnedTo");
            } else {
                out.field("pinnedTo", lane.pinnedTo());
            }
            out.array("processors");
            for (Map.Entry<Integer, Long> entry : lane.seenOn().entrySet()) {
                out.object()
                        .field("processor", entry.getKey())
                        .field("looks", entry.getValue())
                        .end();
            }
            out.end()
                    .field("voluntarySwitches", lane.status().voluntarySwitches())
                    .field("involuntarySwitches", lane.status().involuntarySwitches());
            milliseconds(out, "ranMs", lane.status().ranNs());
            milliseconds(out, "waitedMs", lane.status().waitedNs());
            out.end();
        }
        out.end();
    }

    private static void milliseconds(FieldWriter out, String name, long ns) {
        if (ns < 0) {
            out.nullField(name);
        } else {
            out.milliseconds(name, ns);
        }
    }
}
