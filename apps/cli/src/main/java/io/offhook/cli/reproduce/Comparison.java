package io.offhook.cli.reproduce;

import io.offhook.calls.CallReport;
import io.offhook.calls.Problem;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call as it was captured beside the same call as it was played.
 *
 * @param lines what was compared
 */
record Comparison(List<Line> lines) {
    private static final double NS_PER_S = 1e9;
    /** The share of packets that may be missing or more: 2 %, and 3 packets at least, since sipp ends media with the call. */
    private static final double PACKETS = 0.02;

    private static final int FEW_PACKETS = 3;

    /**
     * Something that was compared.
     *
     * @param what it is
     * @param captured as in the original
     * @param played as in the new capture
     * @param isSame whether they are the same
     * @param isCounted whether a difference means that the call was not played again
     */
    record Line(String what, String captured, String played, boolean isSame, boolean isCounted) {}

    /** Whether everything that counts is the same. */
    boolean isSame() {
        return lines.stream().allMatch(line -> line.isSame || !line.isCounted);
    }

    /**
     * Compares.
     *
     * @param original of which the scenario was made
     * @param leg that was played: all messages, or some
     * @param scenario what was played
     * @param toleranceNs how far from its time a message may be
     */
    static Comparison of(
            ReproducedCall original,
            CallLeg leg,
            Reproduction scenario,
            Timeline timeline,
            Playback playback,
            long toleranceNs) {
        List<Line> lines = new ArrayList<>();
        CallLeg played = playback.leg();
        CallReport call = playback.call();
        lines.add(line("scenario", "", playback.isPassed() ? "passed" : "failed", playback.isPassed()));
        if (played == null || call == null) {
            lines.add(line("call", "captured", "nothing captured", false));
            return new Comparison(lines);
        }
        lines.add(equal("messages", kinds(leg), kinds(played)));
        lines.add(texts(leg, played));
        CallReport.Dialog dialog = original.call().dialogs().stream()
                .filter(any -> any.callId().equals(leg.callId()))
                .findFirst()
                .orElse(original.call().dialogs().getFirst());
        String outcome = outcome(dialog.result());
        String again = outcome(call.dialogs().getFirst().result());
        // what a proxy did between its legs may decide the outcome
        boolean isOneLeg = original.legs().stream()
                        .filter(any -> any.callId().equals(leg.callId()))
                        .count()
                == 1;
        lines.add(new Line("outcome", outcome, again, outcome.equals(again), isOneLeg));
        lines.add(times(leg, played, timeline, toleranceNs));
        streams(lines, original.call(), scenario.callerTrack(), call, Side.CALLER);
        streams(lines, original.call(), scenario.calleeTrack(), call, Side.CALLEE);
        String before = problems(original.call());
        String after = problems(call);
        lines.add(new Line("problems", before, after, before.equals(after), false));
        return new Comparison(lines);
    }

    private static Line line(String what, String captured, String played, boolean isSame) {
        return new Line(what, captured, played, isSame, true);
    }

    private static Line equal(String what, String captured, String played) {
        return line(what, captured, played, captured.equals(played));
    }

    /** ">INVITE <180 <200 >ACK": from the caller, from the callee. */
    static String kinds(CallLeg leg) {
        StringBuilder kinds = new StringBuilder();
        for (LegMessage message : leg.messages()) {
            kinds.append(kinds.isEmpty() ? "" : " ")
                    .append(message.isOfCaller() ? '>' : '<')
                    .append(message.kind());
        }
        return kinds.toString();
    }

    /** Headers and bodies. */
    private static Line texts(CallLeg leg, CallLeg played) {
        int count = Math.min(leg.messages().size(), played.messages().size());
        for (int i = 0; i < count; i++) {
            List<String> captured = Essence.of(leg.messages().get(i));
            List<String> again = Essence.of(played.messages().get(i));
            if (!captured.equals(again)) {
                int at = 0;
                while (at < Math.min(captured.size(), again.size())
                        && captured.get(at).equals(again.get(at))) {
                    at++;
                }
                String where =
                        "message " + (i + 1) + ", " + leg.messages().get(i).kind() + ": ";
                return line("headers and bodies", where + at(captured, at), where + at(again, at), false);
            }
        }
        return line("headers and bodies", "", "of " + Words.count(count, "message"), true);
    }

    private static String at(List<String> lines, int at) {
        return at < lines.size() ? lines.get(at) : "end";
    }

    private static String outcome(CallReport.Result result) {
        Side by = result.hungUpBy();
        return result.outcome().label()
                + (result.finalStatus() > 0 ? " " + result.finalStatus() : "")
                + (by == null ? "" : ", hung up by the " + by.label());
    }

    private static Line times(CallLeg leg, CallLeg played, Timeline timeline, long toleranceNs) {
        double worst = 0;
        int count = Math.min(leg.messages().size(), played.messages().size());
        for (int i = 0; i < count; i++) {
            long wantedNs = timeline.playedNs(leg.messages().get(i).kept().timestampNs());
            long isNs = played.messages().get(i).kept().timestampNs() - played.startNs();
            worst = Math.abs(isNs - wantedNs) > Math.abs(worst) ? isNs - wantedNs : worst;
        }
        return line(
                "times",
                "within " + Decimals.text(toleranceNs / NS_PER_S, 3) + " s",
                "off by " + Decimals.text(Math.abs(worst) / NS_PER_S, 3) + " s at most",
                Math.abs(worst) <= toleranceNs);
    }

    private static void streams(List<Line> lines, CallReport original, Track track, CallReport call, Side side) {
        Map<Long, Integer> packets = new LinkedHashMap<>();
        for (Track.Packet packet : track.packets()) {
            packets.merge(ssrc(packet.octets()), 1, Integer::sum);
        }
        packets.forEach((ssrc, count) -> {
            StreamReport before = stream(original, ssrc, null);
            StreamReport after = stream(call, ssrc, side);
            String codec = before == null ? "?" : name(before);
            long played = after == null ? 0 : after.statistics().packets();
            long most = Math.max(FEW_PACKETS, Math.round(count * PACKETS));
            lines.add(line(
                    "stream of the " + side.label(),
                    codec + ", " + count + " packets",
                    after == null ? "missing" : name(after) + ", " + played + " packets",
                    after != null && name(after).equals(codec) && Math.abs(played - count) <= most));
        });
    }

    private static long ssrc(byte[] rtp) {
        long ssrc = 0;
        for (int i = 8; i < 12; i++) {
            ssrc = ssrc << 8 | rtp[i] & 0xff;
        }
        return ssrc;
    }

    private static @Nullable StreamReport stream(CallReport call, long ssrc, @Nullable Side side) {
        StreamReport found = null;
        for (StreamReport stream : call.streams()) {
            boolean isLonger = found == null
                    || stream.statistics().packets() > found.statistics().packets();
            if (stream.ssrc() == ssrc && (side == null || stream.from() == side) && isLonger) {
                found = stream;
            }
        }
        return found;
    }

    private static String name(StreamReport stream) {
        String codec = stream.codec();
        return codec == null ? "payload type " + stream.payloadType() : codec;
    }

    private static String problems(CallReport call) {
        Set<String> kinds = new LinkedHashSet<>();
        for (Problem problem : call.problems()) {
            kinds.add(problem.kind().label());
        }
        return kinds.isEmpty() ? "none" : String.join(", ", kinds);
    }
}
