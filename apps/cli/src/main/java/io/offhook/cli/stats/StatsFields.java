package io.offhook.cli.stats;

import io.offhook.analysis.CaptureReport;
import io.offhook.calls.Outcome;
import io.offhook.calls.statistics.BusyHour;
import io.offhook.calls.statistics.CallFigures;
import io.offhook.calls.statistics.CallStatistics;
import io.offhook.calls.statistics.CallStatistics.Tally;
import io.offhook.calls.statistics.Spread;
import io.offhook.calls.statistics.TrunkFigures;
import io.offhook.report.fields.FieldWriter;
import java.util.List;

/** The fields of {@code offhook stats}, as docs/OUTPUT.md lists them. */
public final class StatsFields {
    private static final int RATIO_DECIMALS = 4;

    /** The columns of CSV. */
    public static final List<String> COLUMNS = List.of("""
            address direction calls attempts answered effective asrPercent nerPercent
            acd.calls acd.meanMs acd.medianMs acd.p95Ms acd.maxMs pdd.calls pdd.meanMs pdd.medianMs pdd.p95Ms pdd.maxMs
            busyHour.fromAt busyHour.untilAt busyHour.attempts busyHour.capturedMs bhca
            outcomes statuses q850Causes codecs software""".strip().split("\\s+", -1));

    private StatsFields() {}

    static void write(FieldWriter out, CallStatistics statistics, CaptureReport capture) {
        figures(out, statistics.figures());
        busyHour(out, statistics, capture);
        out.array("outcomes");
        for (Tally<Outcome> tally : statistics.outcomes()) {
            out.object()
                    .field("outcome", tally.what().label())
                    .field("calls", tally.calls())
                    .end();
        }
        out.end();
        numbers(out, "statuses", "status", statistics.statuses());
        numbers(out, "q850Causes", "cause", statistics.causes());
        texts(out, "codecs", "codec", statistics.codecs());
        texts(out, "software", "text", statistics.software());
    }

    static void write(FieldWriter out, TrunkFigures trunk) {
        out.field("address", trunk.address()).field("direction", direction(trunk));
        figures(out, trunk.figures());
    }

    /** "to" for calls that it received, "from" for those that it sent. */
    static String direction(TrunkFigures trunk) {
        return trunk.isReceiver() ? "to" : "from";
    }

    private static void figures(FieldWriter out, CallFigures figures) {
        out.field("calls", figures.calls())
                .field("attempts", figures.attempts())
                .field("answered", figures.answered())
                .field("effective", figures.effective())
                .field("asrPercent", figures.answerSeizureRatioPercent(), RATIO_DECIMALS)
                .field("nerPercent", figures.networkEffectivenessRatioPercent(), RATIO_DECIMALS);
        spread(out, "acd", figures.conversation());
        spread(out, "pdd", figures.postDialDelay());
    }

    private static void spread(FieldWriter out, String name, Spread spread) {
        out.object(name)
                .field("calls", spread.count())
                .milliseconds("meanMs", spread.meanNs())
                .milliseconds("medianMs", spread.medianNs())
                .milliseconds("p95Ms", spread.percentile95Ns())
                .milliseconds("maxMs", spread.longestNs())
                .end();
    }

    private static void busyHour(FieldWriter out, CallStatistics statistics, CaptureReport capture) {
        BusyHour hour = statistics.busyHour();
        if (hour == null) {
            out.noObject("busyHour").nullField("bhca");
            return;
        }
        out.object("busyHour")
                .time("fromAt", hour.fromNs())
                .time("untilAt", hour.fromNs() + BusyHour.LENGTH_NS)
                .field("attempts", hour.attempts())
                .milliseconds("capturedMs", capturedNs(hour, capture))
                .end();
        if (capture.durationNs() < BusyHour.LENGTH_NS) {
            out.nullField("bhca");
        } else {
            out.field("bhca", hour.attempts());
        }
    }

    /** How much of the hour the capture covers. */
    static long capturedNs(BusyHour hour, CaptureReport capture) {
        return Math.clamp(capture.lastNs() - hour.fromNs(), 0, BusyHour.LENGTH_NS);
    }

    private static void numbers(FieldWriter out, String name, String what, List<Tally<Integer>> tallies) {
        out.array(name);
        for (Tally<Integer> tally : tallies) {
            out.object().field(what, tally.what()).field("calls", tally.calls()).end();
        }
        out.end();
    }

    private static void texts(FieldWriter out, String name, String what, List<Tally<String>> tallies) {
        out.array(name);
        for (Tally<String> tally : tallies) {
            out.object().field(what, tally.what()).field("calls", tally.calls()).end();
        }
        out.end();
    }
}
