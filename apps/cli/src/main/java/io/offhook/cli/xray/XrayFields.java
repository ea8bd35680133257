package io.offhook.cli.xray;

import io.offhook.cli.terminal.Terminal;
import io.offhook.monitor.xray.Cause;
import io.offhook.report.fields.JsonFields;
import java.io.IOException;
import java.util.Map;

/** An X-ray for programs: one object at the end. */
final class XrayFields {
    private static final double NS_A_SECOND = 1e9;
    private static final int SHARE_DECIMALS = 4;
    private static final int DECIMALS = 6;
    private static final int MOST_WHAT = 20;

    private XrayFields() {}

    /** The name of a cause. */
    static String name(Cause cause) {
        return switch (cause) {
            case GC -> "gc";
            case SAFEPOINT -> "safepoint";
            case MONITOR -> "monitor";
            case RUN_QUEUE -> "runQueue";
            case UNREAD -> "unread";
            case CPU -> "cpu";
            case WAITING -> "waiting";
            case UNSEEN -> "unseen";
        };
    }

    static void json(XrayState state, XrayTotals totals, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object()
                    .field("pid", state.process().pid())
                    .field("command", state.process().commandLine())
                    .time("at", state.beganNs());
            json.field("seconds", state.elapsedNs() / NS_A_SECOND, 3)
                    .field("interfaces", state.interfaces())
                    .field("every", state.periodNs() / NS_A_SECOND, DECIMALS)
                    .field("ended", state.isEnded())
                    .field("ownCpu", state.ownShare(), SHARE_DECIMALS);
            json.object("messages")
                    .field("in", state.messages().in())
                    .field("out", state.messages().out())
                    .field("others", state.messages().others())
                    .field("forgotten", state.forgotten())
                    .end();
            json.field("packetsDropped", state.counts().drops());
            json.array("notes");
            state.notes().forEach(json::element);
            json.end();
            json.field("gapCount", totals.count())
                    .field("gapSeconds", totals.ns() / NS_A_SECOND, DECIMALS)
                    .field("unanswered", totals.unanswered())
                    .field("awaited", state.awaited());
            causes(json, totals);
            json.line().array("gaps");
            for (JudgedGap judged : totals.longest()) {
                json.line();
                gap(json, judged);
            }
            json.line().end().end();
        }
    }

    private static void causes(JsonFields json, XrayTotals totals) {
        json.line().array("causes");
        for (Map.Entry<Cause, XrayTotals.Sum> one : totals.causes().entrySet()) {
            XrayTotals.Sum sum = one.getValue();
            json.line()
                    .object()
                    .field("cause", name(one.getKey()))
                    .field("seconds", sum.ns() / NS_A_SECOND, DECIMALS)
                    .field("share", (double) sum.ns() / Math.max(1, totals.ns()), SHARE_DECIMALS)
                    .field("gaps", sum.gaps())
                    .array("what");
            for (Map.Entry<String, Long> each : sum.what(MOST_WHAT)) {
                json.object()
                        .field("what", each.getKey())
                        .field("seconds", each.getValue() / NS_A_SECOND, DECIMALS)
                        .end();
            }
            json.end().end();
        }
        json.line().end();
    }

    private static void gap(JsonFields json, JudgedGap judged) {
        FoundGap gap = judged.gap();
        json.object().time("at", gap.fromNs());
        json.field("seconds", gap.ns() / NS_A_SECOND, DECIMALS)
                .field("callId", gap.came().callId())
                .field("in", gap.came().label())
                .field("from", gap.came().source().toString())
                .field("afterTrying", gap.isContinued())
                .field("repeats", gap.repeats());
        SeenMessage sent = gap.sent();
        json.field("out", sent == null ? null : sent.label())
                .field("to", sent == null ? null : sent.destination().toString());
        json.field("cause", name(judged.main())).field("what", judged.what(judged.main()));
        json.object("causes");
        judged.byCause().forEach((cause, ns) -> json.field(name(cause), ns / NS_A_SECOND, DECIMALS));
        json.end().end();
    }
}
