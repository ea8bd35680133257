package io.offhook.cli.threads;

import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.linux.lanes.LaneReport;
import io.offhook.monitor.LaneRow;
import io.offhook.monitor.LaneUse;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Lanes of two recordings side by side, matched by name, in the order in which they were seen first. */
final class LaneComparison {
    private static final int DECIMALS = 4;
    private static final double NS_A_MS = 1e6;
    /** From here on a difference stands out: a share of the time of a lane. */
    private static final double MUCH = 0.01;

    private LaneComparison() {}

    /**
     * What lanes of one name did in one recording.
     *
     * @param lanes how many there were, one after the other
     * @param use what they did together
     * @param longestNs the longest stall since they began
     * @param fullest the highest share of the room of their queue that was in it since they began; NaN if it is not known
     */
    record Side(int lanes, LaneUse use, long longestNs, double fullest) {
        static final Side NONE = new Side(0, new LaneUse(0, 0, 0, 0, 0, 0, 0), 0, Double.NaN);

        Side plus(LaneRow lane) {
            LaneReport.Queue queue = lane.report().queue();
            double full = queue == null ? Double.NaN : (double) queue.most() / queue.room();
            return new Side(
                    lanes + 1,
                    use.plus(lane.total()),
                    Math.max(longestNs, lane.report().longestStallNs()),
                    Double.isNaN(fullest) || full > fullest ? full : fullest);
        }
    }

    /** Lanes of one name. */
    record Pair(String name, Side a, Side b) {}

    static List<Pair> of(List<LaneRow> a, List<LaneRow> b) {
        Map<String, Side> ofA = byName(a);
        Map<String, Side> ofB = byName(b);
        Map<String, Side> all = new LinkedHashMap<>(ofA);
        ofB.forEach(all::putIfAbsent);
        List<Pair> pairs = new ArrayList<>();
        for (String name : all.keySet()) {
            pairs.add(new Pair(name, ofA.getOrDefault(name, Side.NONE), ofB.getOrDefault(name, Side.NONE)));
        }
        return pairs;
    }

    private static Map<String, Side> byName(List<LaneRow> lanes) {
        Map<String, Side> sides = new LinkedHashMap<>();
        for (LaneRow lane : lanes) {
            sides.merge(lane.report().name(), Side.NONE.plus(lane), (side, _) -> side.plus(lane));
        }
        return sides;
    }

    static void json(JsonFields json, List<Pair> pairs) {
        json.array("lanes");
        for (Pair pair : pairs) {
            json.line().object().field("name", pair.name());
            field(json, pair, "lanes", Side::lanes, 0);
            field(json, pair, "duty", side -> side.use().duty(), DECIMALS);
            field(
                    json,
                    pair,
                    "framesPerSecond",
                    side -> ofThere(side, side.use().frameRate()),
                    1);
            field(
                    json,
                    pair,
                    "stalls",
                    side -> ofThere(side, (double) side.use().stalls()),
                    0);
            field(json, pair, "drops", side -> ofThere(side, (double) side.use().drops()), 0);
            field(json, pair, "longestStallMs", side -> ofThere(side, side.longestNs() / NS_A_MS), 3);
            field(json, pair, "queueFull", Side::fullest, DECIMALS);
            json.end();
        }
        json.end();
    }

    private static void field(JsonFields json, Pair pair, String name, ToDoubleFunction<Side> figure, int decimals) {
        json.object(name)
                .field("a", figure.applyAsDouble(pair.a()), decimals)
                .field("b", figure.applyAsDouble(pair.b()), decimals)
                .end();
    }

    private static double ofThere(Side side, double value) {
        return side.lanes() == 0 ? Double.NaN : value;
    }

    /** Prints a table below that of threads; nothing if neither recording has lanes. */
    static void table(List<Pair> pairs, Terminal terminal, boolean colored) throws IOException {
        if (pairs.isEmpty()) {
            return;
        }
        terminal.out().append("\nLanes\n");
        Table table = new Table(List.of(
                Table.Column.key("Lane", 15),
                Table.Column.number("Duty % A, B", 95),
                Table.Column.number("Change", 94),
                Table.Column.number("Frames/s A, B", 85),
                Table.Column.number("Lost A, B", 90),
                Table.Column.number("Stalls A, B", 80),
                Table.Column.number("Longest ms A, B", 70),
                Table.Column.number("Queue full % A, B", 75)));
        for (Pair pair : pairs) {
            double change = pair.b().use().duty() - pair.a().use().duty();
            boolean isMuch = Math.abs(change) >= MUCH;
            table.row()
                    .cell(Text.printable(pair.name()), Style.PLAIN)
                    .cell(both(pair, side -> side.use().duty() * 100, 1))
                    .cell(
                            Double.isNaN(change)
                                    ? null
                                    : (change < 0 ? "-" : "+") + Decimals.text(Math.abs(change) * 100, 1),
                            !isMuch ? Style.FAINT : change > 0 ? Style.WARNING : Style.GOOD)
                    .cell(both(pair, side -> ofThere(side, side.use().frameRate()), 0))
                    .cell(both(pair, side -> ofThere(side, (double) side.use().drops()), 0))
                    .cell(both(pair, side -> ofThere(side, (double) side.use().stalls()), 0))
                    .cell(both(pair, side -> ofThere(side, side.longestNs() / NS_A_MS), 1))
                    .cell(both(pair, side -> side.fullest() * 100, 0));
        }
        table.print(terminal, colored);
    }

    private static @Nullable String both(Pair pair, ToDoubleFunction<Side> figure, int decimals) {
        return ComparisonOutput.both(figure.applyAsDouble(pair.a()), figure.applyAsDouble(pair.b()), decimals);
    }
}
