package io.offhook.report;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.ProblemSide;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.report.fields.FieldWriter;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import io.offhook.sip.VoiceQualityReport;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of a call, as docs/OUTPUT.md lists them. */
public final class CallFields {
    private CallFields() {}

    /** Writes all fields into the open object, with an array of streams. */
    public static void writeJson(FieldWriter out, CallReport call) {
        write(out, call);
        out.array("problems");
        for (Problem problem : call.problems()) {
            out.object();
            problem(out, problem, call.times().startedNs());
            out.end();
        }
        out.end();
        lists(out, call);
        reported(out, call);
        JoinFields.writeJson(out, call);
        JoinFields.writePassages(out, call);
        out.array("streams");
        for (StreamReport stream : call.streams()) {
            out.object().field("callId", stream.callId());
            StreamFields.writeJson(out, stream);
            out.end();
        }
        out.end();
    }

    /** Key presses, and what phones measured. */
    private static void reported(FieldWriter out, CallReport call) {
        out.array("keys");
        for (CallReport.KeyPress key : call.keys()) {
            out.object().time("at", key.atNs()).field("side", key.by().label()).field("key", String.valueOf(key.key()));
            whole(out, "durationMs", key.durationMs(), 0);
            out.field("means", key.means().label()).end();
        }
        out.end().array("qualityReports");
        for (CallReport.QualityReport report : call.qualityReports()) {
            out.object()
                    .time("at", report.atNs())
                    .field("source", report.source().toString())
                    .field("kind", report.report().kind().name().toLowerCase(Locale.ROOT));
            metrics(out, "local", report.report().local());
            metrics(out, "remote", report.report().remote());
            out.end();
        }
        out.end();
    }

    private static void metrics(FieldWriter out, String name, VoiceQualityReport.@Nullable Metrics metrics) {
        if (metrics == null) {
            out.nullField(name);
            return;
        }
        out.object(name)
                .field("lossPercent", metrics.lossPercent(), 2)
                .field("discardPercent", metrics.discardPercent(), 2)
                .field("burstPercent", metrics.burstPercent(), 2)
                .field("gapPercent", metrics.gapPercent(), 2)
                .field("roundTripMs", metrics.roundTripMs(), 1)
                .field("endSystemMs", metrics.endSystemMs(), 1)
                .field("jitterMs", metrics.jitterMs(), 1)
                .field("maxJitterMs", metrics.maxJitterMs(), 1)
                .field("rLq", metrics.rLq(), 1)
                .field("mosLq", metrics.mosLq(), 2)
                .field("mosCq", metrics.mosCq(), 2)
                .end();
    }

    /** Writes all fields of a line, including the main stream of each side: audio first, then the most packets. */
    public static void writeCsv(FieldWriter out, CallReport call) {
        write(out, call);
        out.array("problems");
        ProblemText.of(call, true).forEach(out::element);
        out.end();
        lists(out, call);
        JoinFields.writeCsv(out, call);
        out.object("streams").field("count", call.streams().size());
        for (Side side : Side.values()) {
            StreamReport main = main(call.streams(), side);
            if (main != null) {
                out.object(side == Side.CALLER ? "fromCaller" : "fromCallee");
                StreamFields.write(out, main);
                out.end();
            }
        }
        out.end();
    }

    private static @Nullable StreamReport main(List<StreamReport> streams, Side side) {
        StreamReport main = null;
        for (StreamReport stream : streams) {
            if (stream.from() == side && (main == null || isBefore(stream, main))) {
                main = stream;
            }
        }
        return main;
    }

    private static boolean isBefore(StreamReport stream, StreamReport other) {
        return stream.isAudio() == other.isAudio()
                ? stream.statistics().packets() > other.statistics().packets()
                : stream.isAudio();
    }

    private static void write(FieldWriter out, CallReport call) {
        parties(out, call);
        times(out, call);
        Side hungUpBy = call.hungUpBy();
        out.field("hungUpBy", hungUpBy == null ? null : hungUpBy.label())
                .field("messages", call.counts().messages())
                .field("retransmissions", call.counts().retransmissions())
                .field("mirrored", call.counts().mirrored())
                .field("codec", call.codec())
                .field("encrypted", call.isEncrypted())
                .field("firstFrame", call.firstFrame())
                .field("worstMos", worstMos(call, MosScale.NARROWBAND), 4);
        out.object("worstMosByScale")
                .field("wideband", worstMos(call, MosScale.WIDEBAND), 4)
                .field("fullband", worstMos(call, MosScale.FULLBAND), 4)
                .end();
        headers(out, call.headers());
    }

    private static void headers(FieldWriter out, CallReport.Headers headers) {
        out.field("callerSoftware", headers.callerSoftware())
                .field("calleeSoftware", headers.calleeSoftware())
                .field("assertedIdentity", headers.assertedIdentity())
                .field("diversion", headers.diversion())
                .field("historyInfo", headers.historyInfo())
                .field("reason", headers.reason().text());
        whole(out, "q850Cause", headers.reason().q850Cause(), 0);
        whole(out, "sipCause", headers.reason().sipCause(), 0);
    }

    private static double worstMos(CallReport call, MosScale scale) {
        Quality worst = StreamFields.worstQuality(call, scale);
        return worst == null ? Double.NaN : worst.mos();
    }

    /** Writes a problem; {@code startedNs} is the time to which its text is relative. */
    public static void problem(FieldWriter out, Problem problem, long startedNs) {
        ProblemSide side = problem.side();
        out.field("kind", problem.kind().label())
                .field("class", problem.problemClass().label())
                .field("side", side == null ? null : side.label())
                .time("at", problem.atNs())
                .field("seconds", problem.seconds(), 3)
                .field("percent", problem.percent(), 4);
        whole(out, "count", problem.count(), 0);
        whole(out, "status", problem.status(), 1);
        out.field("value", problem.value(), 4).field("text", ProblemText.ofDialog(problem, startedNs));
    }

    private static void whole(FieldWriter out, String name, long value, long least) {
        if (value < least) {
            out.nullField(name);
        } else {
            out.field(name, value);
        }
    }

    private static void parties(FieldWriter out, CallReport call) {
        out.field("callId", call.callId())
                .field("callIdPartial", call.isCallIdPartial())
                .field("from", call.parties().from())
                .field("to", call.parties().to())
                .field("fromUri", call.parties().fromUri())
                .field("toUri", call.parties().toUri())
                .field("outcome", call.outcome().label());
        if (call.finalStatus() == 0) {
            out.nullField("finalStatus");
        } else {
            out.field("finalStatus", call.finalStatus());
        }
        out.field("transport", call.transport().name());
    }

    private static void times(FieldWriter out, CallReport call) {
        out.time("firstSeenAt", call.times().firstSeenNs())
                .time("invitedAt", call.times().invitedNs())
                .time("progressAt", call.times().progressNs())
                .time("ringingAt", call.times().ringingNs())
                .time("answeredAt", call.times().answeredNs())
                .time("endedAt", call.times().endedNs())
                .milliseconds("setUpMs", call.times().setUpNs())
                .milliseconds("durationMs", call.times().durationNs())
                .field("durationApproximate", call.times().isDurationApproximate());
    }

    private static void lists(FieldWriter out, CallReport call) {
        out.array("legs");
        for (CallReport.Leg leg : call.legs()) {
            out.object()
                    .field("source", leg.source().toString())
                    .field("destination", leg.destination().toString())
                    .end();
        }
        out.end().array("holds");
        for (CallReport.Hold hold : call.holds()) {
            out.object()
                    .field("by", hold.by().label())
                    .time("fromAt", hold.fromNs())
                    .time("untilAt", hold.untilNs())
                    .end();
        }
        out.end().array("icmpErrors");
        for (IcmpEvent event : call.icmpErrors()) {
            out.object()
                    .time("at", event.timestampNs())
                    .field("frame", event.frameNumber())
                    .field("reporter", event.reporter().addressText())
                    .field("source", event.source().toString())
                    .field("destination", event.destination().toString())
                    .field("meaning", ProblemText.meaning(event.message()))
                    .end();
        }
        out.end();
    }
}
