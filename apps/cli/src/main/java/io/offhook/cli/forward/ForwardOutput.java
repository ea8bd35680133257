package io.offhook.cli.forward;

import io.offhook.cli.command.Format;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.input.LaneOptions;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.forward.ForwardStatistics;
import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import io.offhook.forward.application.StageFigure;
import io.offhook.linux.network.LinkState;
import io.offhook.live.LanePlacement;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Prints the figures of {@code forward}: rates since the last output as a table, or all counters as a line of JSON. */
public final class ForwardOutput {
    private final OutputOptions output;
    private final Terminal terminal;
    private final ForwardApplication application;
    private final long startNs;
    private final OptionalDouble tscCyclesPerNs = ForwardStatistics.tscCyclesPerNs();
    private @Nullable ForwardStatistics last;
    /** The state of each port as last printed, to print each change once. */
    private final List<LinkState> states = new ArrayList<>();

    /** The losses reported so far, by file or table. */
    private final Map<Integer, Long> losses = new HashMap<>();

    ForwardOutput(ForwardApplication application, OutputOptions output, Terminal terminal) {
        this.application = application;
        this.output = output;
        this.terminal = terminal;
        startNs = application.forwarder().statistics().atNs();
    }

    /** Prints how each port is driven, and what is wrong with its interface. */
    void begin(ForwardStatistics now) {
        for (int i = 0; i < now.ports().size(); i++) {
            states.add(LinkState.UP);
            ForwardStatistics.PortCounts port = now.ports().get(i);
            if (output.format() == Format.TABLE) {
                terminal.error(port.name() + ": " + interfaceName(i) + " by " + port.driver());
            }
        }
        application.warnings().forEach(terminal::error);
        reportStates(now);
    }

    /** Prints the placement of lanes, at the end. */
    void printLanes(List<LanePlacement.Lane> lanes) throws IOException {
        if (output.format() == Format.JSON) {
            try (JsonFields json = terminal.json()) {
                json.object().object("placement");
                LaneOptions.write(json, lanes);
                json.end().end();
            }
        } else {
            LaneOptions.text(lanes, terminal.out());
        }
        terminal.flush();
    }

    private String interfaceName(int port) {
        ForwardConfig.PortConfig config = application.config().ports().get(port);
        return config.interfaceName().value();
    }

    private void reportStates(ForwardStatistics now) {
        for (int i = 0; i < now.ports().size(); i++) {
            ForwardStatistics.PortCounts port = now.ports().get(i);
            if (states.set(i, port.state()) != port.state()) {
                terminal.error("port " + port.name() + ": " + stateText(port.state(), interfaceName(i)));
            }
        }
    }

    private static String stateText(LinkState state, String name) {
        return switch (state) {
            case UP -> name + " is up again";
            case NO_CARRIER -> name + " has no carrier; packets sent there are lost";
            case DOWN -> name + " is down: sudo ip link set " + name + " up";
            case GONE -> name + " is gone; restart once it exists again";
        };
    }

    /** The state as in JSON. */
    private static String stateName(LinkState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String unwritable(StageFigure.FileCount mirror) {
        RuntimeException failure = mirror.failure();
        return "not all mirrored packets could be written to " + mirror.file() + ": "
                + (failure == null ? "" : failure.getMessage());
    }

    void print(ForwardStatistics now) throws IOException {
        reportStates(now);
        if (output.format() == Format.JSON) {
            json(now, now.atNs() - startNs, application.figures(), tscCyclesPerNs, terminal);
        } else {
            table(now);
        }
        terminal.flush();
        last = now;
    }

    public static void json(
            ForwardStatistics now,
            long sinceStartNs,
            List<StageFigure> figures,
            OptionalDouble tscCyclesPerNs,
            Terminal terminal)
            throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().milliseconds("sinceStartMs", sinceStartNs).array("ports");
            for (ForwardStatistics.PortCounts port : now.ports()) {
                json.object()
                        .field("name", port.name())
                        .field("driver", port.driver())
                        .field("state", stateName(port.state()))
                        .field("received", port.received())
                        .field("sent", port.sent())
                        .field("receiveDrops", port.losses().coming())
                        .field("sendDrops", port.losses().going())
                        .field("tooLong", port.losses().tooLong())
                        .field("copies", port.copies())
                        .end();
            }
            json.end().array("drops");
            for (ForwardStatistics.Drops drops : now.drops()) {
                json.object()
                        .field("stage", drops.stage())
                        .field("cause", drops.cause())
                        .field("packets", drops.packets())
                        .end();
            }
            json.end().array("rules");
            for (StageFigure.RuleCount rule : of(StageFigure.RuleCount.class, figures)) {
                json.object()
                        .field("action", rule.action())
                        .field("match", rule.expression())
                        .field("packets", rule.packets())
                        .end();
            }
            json.end().array("tables");
            for (StageFigure.TableCount table : of(StageFigure.TableCount.class, figures)) {
                json.object()
                        .field("stage", table.stage())
                        .field("entries", table.entries())
                        .field("lost", table.lost())
                        .end();
            }
            json.end().array("lanes");
            for (ForwardStatistics.LaneCounts lane : now.lanes()) {
                json.object()
                        .field("lane", lane.lane())
                        .field("processor", lane.processor())
                        .field("packets", lane.packets())
                        .field("bursts", lane.bursts())
                        .milliseconds("busyMs", lane.busyNs());
                perPacket(json, lane, tscCyclesPerNs);
                json.end();
            }
            json.end().array("mirrors");
            for (StageFigure.FileCount mirror : of(StageFigure.FileCount.class, figures)) {
                json.object()
                        .field("packets", mirror.packets())
                        .field("dropped", mirror.dropped())
                        .end();
            }
            json.end()
                    .field("originated", now.counts().originated())
                    .field("noBuffer", now.counts().noBuffer())
                    .field("held", now.counts().held())
                    .field("restored", now.counts().restored())
                    .field("undecided", now.counts().undecided())
                    .field("forwarded", now.counts().forwarded())
                    .field("outputs", now.counts().outputs())
                    .end();
        }
    }

    private static void perPacket(FieldWriter out, ForwardStatistics.LaneCounts lane, OptionalDouble tscCyclesPerNs) {
        double ns = lane.busyNs() / (double) lane.packets();
        if (lane.packets() == 0) {
            out.nullField("nsPerPacket").nullField("cyclesPerPacket");
        } else if (tscCyclesPerNs.isEmpty()) {
            out.field("nsPerPacket", ns, 1).nullField("cyclesPerPacket");
        } else {
            out.field("nsPerPacket", ns, 1).field("cyclesPerPacket", ns * tscCyclesPerNs.getAsDouble(), 0);
        }
    }

    private void table(ForwardStatistics now) throws IOException {
        ForwardStatistics before = last;
        double seconds = (now.atNs() - (before == null ? startNs : before.atNs())) / 1e9;
        Table table = new Table(List.of(
                Table.Column.text("Port", 100, 6),
                Table.Column.number("Received/s", 90),
                Table.Column.number("Sent/s", 89),
                Table.Column.number("Received", 60),
                Table.Column.number("Sent", 59),
                Table.Column.number("Lost coming", 80),
                Table.Column.number("Lost going", 79),
                Table.Column.number("Too long", 50)));
        for (int i = 0; i < now.ports().size(); i++) {
            ForwardStatistics.PortCounts port = now.ports().get(i);
            ForwardStatistics.PortCounts was =
                    before == null ? null : before.ports().get(i);
            table.row()
                    .cell(port.name())
                    .cell(rate(port.received() - (was == null ? 0 : was.received()), seconds))
                    .cell(rate(port.sent() - (was == null ? 0 : was.sent()), seconds))
                    .cell(Decimals.grouped(port.received()))
                    .cell(Decimals.grouped(port.sent()))
                    .cell(Decimals.grouped(port.losses().coming()))
                    .cell(Decimals.grouped(port.losses().going()))
                    .cell(Decimals.grouped(port.losses().tooLong()));
        }
        table.print(terminal, terminal.isColored(output.color()));
        for (int i = 0; i < now.drops().size(); i++) {
            ForwardStatistics.Drops drops = now.drops().get(i);
            long more = drops.packets()
                    - (before == null ? 0 : before.drops().get(i).packets());
            if (more > 0) {
                line(drops.stage() + " dropped " + Decimals.grouped(more) + ": " + drops.cause());
            }
        }
        for (String lost : lost(now, before)) {
            line(lost);
        }
        List<StageFigure> figures = application.figures();
        List<StageFigure> limited = new ArrayList<>(of(StageFigure.FileCount.class, figures));
        limited.addAll(of(StageFigure.TableCount.class, figures));
        for (int i = 0; i < limited.size(); i++) {
            long lost = lost(limited.get(i));
            long more = lost - losses.getOrDefault(i, 0L);
            if (more > 0) {
                line(lacks(limited.get(i), more));
                losses.put(i, lost);
            }
        }
        for (StageFigure.RuleCount rule : of(StageFigure.RuleCount.class, figures)) {
            if (rule.packets() > 0 && rule.action().equals("count")) {
                line("counted " + Decimals.grouped(rule.packets()) + " in all: " + rule.expression());
            }
        }
        for (int i = 0; i < now.lanes().size(); i++) {
            lane(now.lanes().get(i), before == null ? null : before.lanes().get(i));
        }
        terminal.out().append('\n');
    }

    /** Losses since the last output that no stage caused. */
    static List<String> lost(ForwardStatistics now, @Nullable ForwardStatistics before) {
        List<String> lines = new ArrayList<>();
        long undecided =
                now.counts().undecided() - (before == null ? 0 : before.counts().undecided());
        if (undecided > 0) {
            lines.add("dropped " + Decimals.grouped(undecided) + ": no stage said where to");
        }
        long noBuffer =
                now.counts().noBuffer() - (before == null ? 0 : before.counts().noBuffer());
        if (noBuffer > 0) {
            lines.add("could not make " + Decimals.grouped(noBuffer) + ": no buffer was free (key buffers)");
        }
        return lines;
    }

    private static <T extends StageFigure> List<T> of(Class<T> kind, List<StageFigure> figures) {
        return figures.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static long lost(StageFigure figure) {
        return switch (figure) {
            case StageFigure.FileCount file -> file.dropped();
            case StageFigure.TableCount table -> table.lost();
            case StageFigure.RuleCount _ -> 0;
        };
    }

    static String lacks(StageFigure figure, long count) {
        return switch (figure) {
            case StageFigure.FileCount file ->
                "mirror to " + file.file() + " lacks " + Decimals.grouped(count) + ": "
                        + (file.failure() == null ? "its queue was full (key queue)" : "it cannot be written");
            case StageFigure.TableCount table -> table.stage() + ": " + Decimals.grouped(count) + " " + table.loss();
            case StageFigure.RuleCount _ -> "";
        };
    }

    private void lane(ForwardStatistics.LaneCounts lane, ForwardStatistics.@Nullable LaneCounts was)
            throws IOException {
        long packets = lane.packets() - (was == null ? 0 : was.packets());
        long busyNs = lane.busyNs() - (was == null ? 0 : was.busyNs());
        if (packets > 0) {
            line("lane " + lane.lane() + " on processor " + lane.processor() + ": "
                    + perPacket(busyNs / (double) packets, tscCyclesPerNs));
        }
    }

    static String perPacket(double ns, OptionalDouble tscCyclesPerNs) {
        String cycles = tscCyclesPerNs.isEmpty()
                ? ""
                : ", " + Decimals.text(ns * tscCyclesPerNs.getAsDouble(), 0) + " TSC cycles";
        return Decimals.text(ns, 0) + " ns" + cycles + " a packet";
    }

    private void line(String text) throws IOException {
        terminal.out().append("  ").append(Text.printable(text)).append('\n');
    }

    private static String rate(long packets, double seconds) {
        return seconds <= 0 ? "" : Decimals.grouped(Math.round(packets / seconds));
    }
}
