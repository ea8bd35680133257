package io.offhook.cli.where;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.Pipeline;
import io.offhook.calls.points.CapturePoint;
import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointAnalysis;
import io.offhook.calls.points.PointMessages;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import io.offhook.pcap.PacketSource;
import io.offhook.report.fields.FieldWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Captures of the same traffic at several points, compared as {@code offhook where} does; {@link #write} has what was found of
 * one call.
 */
public final class CaptureComparison {
    private final List<String> names;
    private final WhereResult result;

    private CaptureComparison(List<String> names, PointsReport report) {
        this.names = List.copyOf(names);
        result = new WhereResult(List.of(), report, report.streams(), report.messages());
    }

    /**
     * Reads each capture twice, and compares them.
     *
     * @param names of two or more captures
     * @param options by which calls are judged
     * @param open opens a capture by its index
     */
    public static CaptureComparison of(List<String> names, AnalysisOptions options, IntFunction<PacketSource> open) {
        return compared(names, options, open, false);
    }

    /**
     * As {@link #of}, of captures that one process made at the same time: their clock is the same, and each ran as long as any
     * of them had packets.
     */
    public static CaptureComparison ofOneRun(
            List<String> names, AnalysisOptions options, IntFunction<PacketSource> open) {
        return compared(names, options, open, true);
    }

    private static CaptureComparison compared(
            List<String> names, AnalysisOptions options, IntFunction<PacketSource> open, boolean isOneRun) {
        List<CapturePoint> points = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            PointMessages messages = new PointMessages();
            try (PacketSource source = open.apply(i)) {
                AnalysisResult found =
                        Analysis.run(source, options.withRtpHeuristic(true).withListener(messages));
                points.add(new CapturePoint(
                        found.capture().firstNs(), found.capture().lastNs(), found.calls(), found.streams(), messages));
            }
        }
        PointAnalysis analysis = new PointAnalysis(isOneRun ? atOneTime(points) : points, isOneRun);
        for (int i = 0; i < names.size(); i++) {
            if (!analysis.media(i).isEmpty()) {
                try (PacketSource source = open.apply(i)) {
                    Pipeline.of(options.lanes()).traffic(analysis.media(i)).run(source);
                }
            }
        }
        return new CaptureComparison(names, analysis.report());
    }

    /** The points, each captured from the first packet of all to the last one. */
    private static List<CapturePoint> atOneTime(List<CapturePoint> points) {
        long fromNs = Long.MAX_VALUE;
        long untilNs = Long.MIN_VALUE;
        for (CapturePoint point : points) {
            if (!point.calls().isEmpty() || !point.streams().isEmpty()) {
                fromNs = Math.min(fromNs, point.fromNs());
                untilNs = Math.max(untilNs, point.untilNs());
            }
        }
        List<CapturePoint> together = new ArrayList<>();
        for (CapturePoint point : points) {
            together.add(new CapturePoint(fromNs, untilNs, point.calls(), point.streams(), point.messages()));
        }
        return together;
    }

    /**
     * Writes the points, and the ways and missing messages of a call, into the object that is open.
     *
     * @param callIds those of its legs
     */
    public void write(List<String> callIds, FieldWriter out) {
        int number = number(callIds);
        out.array("points");
        for (int i = 0; i < names.size(); i++) {
            out.object().field("point", result.name(i)).field("name", names.get(i));
            WhereFields.clock(out, result.report().clocks().get(i));
            out.field(
                            "hasCall",
                            number > 0
                                    && result.report()
                                            .calls()
                                            .get(number - 1)
                                            .points()
                                            .contains(i))
                    .end();
        }
        out.end().array("streams");
        for (StreamWay way : result.streams()) {
            if (number > 0 && way.callNumber() == number) {
                out.object();
                WhereFields.stream(out, result, way);
                out.end();
            }
        }
        out.end().array("messages");
        for (LostMessage message : result.messages()) {
            if (number > 0 && message.callNumber() == number) {
                out.object();
                WhereFields.message(out, result, message);
                out.end();
            }
        }
        out.end();
    }

    /** The number of the call that has one of these Call-IDs, from 1; 0 if none has. */
    private int number(List<String> callIds) {
        List<PointsReport.Call> calls = result.report().calls();
        for (int i = 0; i < calls.size(); i++) {
            if (callIds.stream().anyMatch(calls.get(i).report()::hasCallId)) {
                return i + 1;
            }
        }
        return 0;
    }
}
