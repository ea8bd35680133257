package io.offhook.cli.where;

import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.calls.points.ClockLine;
import io.offhook.calls.points.ClockStep;
import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.cli.input.CaptureFields;
import io.offhook.cli.terminal.Terminal;
import io.offhook.report.StreamFields;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of {@code offhook where}, as docs/OUTPUT.md lists them. */
public final class WhereFields {
    private static final int MS_DECIMALS = 6;
    private static final int RATIO_DECIMALS = 4;

    /** The columns of CSV: a line for each two neighbouring points of a stream. */
    public static final List<String> COLUMNS = List.of("""
            call callId caller callee from ssrc codec kind missingAt lostBefore
            first.point first.hop first.callId first.source first.destination first.packets first.ssrc first.firstFrame
            second.point second.hop second.callId second.source second.destination second.packets second.ssrc
            second.firstFrame
            order level matched present lost lossPercent arrived extra stripped
            delay.aboveLeast delay.minMs delay.medianMs delay.p95Ms delay.maxMs delay.spreadMs
            lostAfter reportedLost""".strip().split("\\s+", -1));

    private WhereFields() {}

    static void json(WhereResult result, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().array("points");
            for (int i = 0; i < result.files().size(); i++) {
                json.line().object();
                point(json, result, i);
                json.end();
            }
            json.line().end().array("streams");
            for (StreamWay way : result.streams()) {
                json.line().object();
                stream(json, result, way);
                json.end();
            }
            json.line().end().array("messages");
            for (LostMessage message : result.messages()) {
                json.line().object();
                message(json, result, message);
                json.end();
            }
            json.line().end().object("counts");
            counts(json, result.report());
            json.end().end();
        }
    }

    private static void point(FieldWriter out, WhereResult result, int point) {
        PointFile file = result.files().get(point);
        out.field("point", file.name());
        clock(out, result.report().clocks().get(point));
        out.array("steps");
        for (ClockStep step : result.report().steps().get(point)) {
            out.object()
                    .time("at", step.beforeNs())
                    .field("byMs", step.byNs() / 1e6, MS_DECIMALS)
                    .end();
        }
        out.end().object("capture");
        CaptureFields.write(out, file.result().capture(), file.input());
        out.end();
    }

    /** The object {@code clock} of a point. */
    static void clock(FieldWriter out, @Nullable ClockLine clock) {
        if (clock == null) {
            out.noObject("clock");
        } else {
            out.object("clock")
                    .field("basis", clock.basis().label())
                    .field("offsetMs", clock.offsetNs() / 1e6, MS_DECIMALS)
                    .field("uncertaintyMs", clock.uncertaintyNs() / 1e6, MS_DECIMALS)
                    .time("at", clock.atNs() == 0 ? CallReport.NEVER : clock.atNs())
                    .field("driftPpm", clock.driftPpm(), RATIO_DECIMALS)
                    .field("driftErrorPpm", clock.driftErrorPpm(), RATIO_DECIMALS)
                    .field("samples", clock.samples())
                    .end();
        }
    }

    private static void counts(FieldWriter out, PointsReport report) {
        PointsReport.Counts counts = report.counts();
        out.field(
                        "callsShared",
                        report.calls().stream()
                                .filter(call -> call.points().size() > 1)
                                .count())
                .field(
                        "callsAtOnePoint",
                        report.calls().stream()
                                .filter(call -> call.points().size() == 1)
                                .count())
                .field(
                        "streamsShared",
                        report.streams().stream()
                                .filter(way -> way.fate().kind() == StreamWay.Kind.COMPARED)
                                .count())
                .field("messagesShared", counts.messagesShared())
                .field("mediaElsewhere", counts.mediaElsewhere())
                .field("otherHops", counts.otherHops())
                .field("streamsLeftOut", counts.streamsLeftOut())
                .field("messagesLeftOut", counts.messagesLeftOut());
    }

    private static void call(FieldWriter out, WhereResult result, int number) {
        CallReport call = result.call(number);
        if (call == null) {
            out.nullField("call").nullField("callId").nullField("caller").nullField("callee");
        } else {
            out.field("call", number)
                    .field("callId", call.callId())
                    .field("caller", call.parties().from())
                    .field("callee", call.parties().to());
        }
    }

    private static void identity(FieldWriter out, WhereResult result, StreamWay way) {
        call(out, result, way.callNumber());
        Side from = way.from();
        int missing = way.fate().point();
        out.field("from", from == null ? null : from.label())
                .field("ssrc", StreamFields.ssrc(way.stream()))
                .field("codec", way.stream().codec())
                .field("kind", way.fate().kind().label())
                .field("missingAt", missing < 0 ? null : result.name(missing));
    }

    static void stream(FieldWriter out, WhereResult result, StreamWay way) {
        identity(out, result, way);
        out.array("stops");
        for (StreamWay.Stop stop : way.stops()) {
            out.object();
            stop(out, result, stop);
            out.end();
        }
        out.end();
        lostBefore(out, way);
        out.array("segments");
        for (int i = 0; i < way.segments().size(); i++) {
            out.object()
                    .field("from", result.name(way.stops().get(i).point()))
                    .field("to", result.name(way.stops().get(i + 1).point()));
            segment(out, way.segments().get(i), isComparable(result, way, i));
            out.end();
        }
        out.end();
        after(out, way.after());
    }

    private static void lostBefore(FieldWriter out, StreamWay way) {
        if (way.segments().isEmpty()) {
            out.nullField("lostBefore");
        } else {
            out.field("lostBefore", way.lostBefore());
        }
    }

    private static void after(FieldWriter out, StreamWay.@Nullable After after) {
        if (after == null) {
            out.nullField("lostAfter").nullField("reportedLost");
        } else {
            out.field("lostAfter", after.lost()).field("reportedLost", after.reportedLost());
        }
    }

    private static void stop(FieldWriter out, WhereResult result, StreamWay.Stop stop) {
        StreamReport stream = stop.stream();
        out.field("point", result.name(stop.point()));
        if (stop.hop() == 0) {
            out.nullField("hop");
        } else {
            out.field("hop", stop.hop());
        }
        out.field("callId", stop.call() == null ? null : stop.call().callId())
                .field("source", stream.source().toString())
                .field("destination", stream.destination().toString())
                .field("packets", stream.statistics().distinct())
                .field("ssrc", StreamFields.ssrc(stream))
                .field("firstFrame", stream.firstFrame());
    }

    /** Whether delays between a stop and the next are known, and not only by how much they differ. */
    static boolean isComparable(WhereResult result, StreamWay way, int segment) {
        ClockLine first = result.report().clocks().get(way.stops().get(segment).point());
        ClockLine second =
                result.report().clocks().get(way.stops().get(segment + 1).point());
        return first != null && second != null && first.isComparable() && second.isComparable();
    }

    private static void segment(FieldWriter out, StreamWay.Segment segment, boolean isComparable) {
        SegmentFigures figures = segment.figures();
        SegmentFigures.Delay delay = figures.delay();
        double least = isComparable ? 0 : delay.minMs();
        out.field("order", segment.order().label())
                .field("level", segment.level().label())
                .field("matched", figures.matched())
                .field("present", figures.present())
                .field("lost", figures.lost())
                .field("lossPercent", figures.lossPercent(), RATIO_DECIMALS)
                .field("arrived", figures.arrived())
                .field("extra", figures.extra())
                .field("stripped", figures.stripped())
                .object("delay")
                .field("aboveLeast", !isComparable)
                .field("minMs", delay.minMs() - least, MS_DECIMALS)
                .field("medianMs", delay.medianMs() - least, MS_DECIMALS)
                .field("p95Ms", delay.p95Ms() - least, MS_DECIMALS)
                .field("maxMs", delay.maxMs() - least, MS_DECIMALS)
                .field("spreadMs", delay.spreadMs(), MS_DECIMALS)
                .end();
    }

    static void message(FieldWriter out, WhereResult result, LostMessage message) {
        call(out, result, message.callNumber());
        out.field("message", message.what())
                .field("cseq", message.cseq())
                .field("seenAt", result.name(message.seen().point()))
                .field("missingAt", result.name(message.missingAt()))
                .field("way", message.way().label())
                .field("transmissions", message.transmissions())
                .field("missing", message.missing())
                .field("frame", message.seen().frame())
                .time("at", message.seen().atNs())
                .field("source", message.seen().source().toString())
                .field("destination", message.seen().destination().toString());
    }

    static void csv(WhereResult result, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(COLUMNS);
        for (StreamWay way : result.streams()) {
            for (int i = 0; i < Math.max(1, way.segments().size()); i++) {
                identity(csv, result, way);
                csv.object("first");
                stop(csv, result, way.stops().get(i));
                csv.end();
                if (i == 0) {
                    lostBefore(csv, way);
                }
                if (i < way.segments().size()) {
                    csv.object("second");
                    stop(csv, result, way.stops().get(i + 1));
                    csv.end();
                    segment(csv, way.segments().get(i), isComparable(result, way, i));
                }
                if (i + 1 >= way.segments().size()) {
                    after(csv, way.after());
                }
                csv.endRecord();
            }
        }
    }
}
