package io.offhook.calls;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was wrong with a call, in words, the worst first. docs/OUTPUT.md lists the texts and the limits below.
 */
final class CallProblems {
    /** Loss that is heard, in percent. */
    private static final double LOSS_PERCENT = 1.0;

    /** Below it, many users are dissatisfied (ITU-T G.107, annex B). */
    private static final double MOS = 3.6;

    private static final double JITTER_MS = 30;

    /** Beyond it, a caller takes the call for dead (ITU-T E.721 has 5 s for a local call under load). */
    private static final long SET_UP_NS = 5_000_000_000L;

    /** What is shorter may end before the first word. */
    private static final long AUDIBLE_NS = 2_000_000_000L;

    /** By then the callee has sent its answer three times (RFC 3261, 13.3.1.4). */
    private static final long ACK_NS = 2_000_000_000L;

    /** So long after the answer early media is over. */
    private static final long SETTLED_NS = 1_000_000_000L;

    /** So long after the answer no packet of early media is still on its way. */
    private static final long BEGUN_NS = 100_000_000L;

    private static final int RETRANSMISSIONS = 3;

    private final CallReport report;
    private final Call call;
    private final long endNs;
    private final boolean captureHasMedia;
    private final List<IcmpEvent> icmpErrors;
    private final List<String> problems = new ArrayList<>(2);

    /** @param icmpErrors those that tell of harm */
    CallProblems(CallReport report, Call call, long endNs, boolean captureHasMedia, List<IcmpEvent> icmpErrors) {
        this.report = report;
        this.call = call;
        this.endNs = endNs;
        this.captureHasMedia = captureHasMedia;
        this.icmpErrors = icmpErrors;
    }

    List<String> list() {
        outcome();
        if (call.isAnswered()) {
            missingAudio();
        }
        for (Side side : Side.values()) {
            quality(side);
        }
        setUp();
        acknowledgement();
        for (IcmpEvent event : icmpErrors) {
            String text =
                    "ICMP " + event.meaning() + " from " + event.reporter().addressText();
            if (!problems.contains(text)) {
                problems.add(text);
            }
        }
        if (report.retransmissions() >= RETRANSMISSIONS) {
            problems.add(report.retransmissions() + " messages sent again");
        }
        return List.copyOf(problems);
    }

    private void acknowledgement() {
        long unacknowledgedNs = call.unacknowledgedNs();
        if (unacknowledgedNs != Call.NEVER && endNs - unacknowledgedNs > ACK_NS) {
            problems.add("no ACK");
        } else if (call.longestAckNs() > ACK_NS) {
            problems.add("ACK took " + seconds(call.longestAckNs()));
        }
    }

    private void outcome() {
        switch (report.outcome()) {
            case BUSY -> problems.add("busy");
            case DECLINED -> problems.add("declined");
            case CANCELLED -> problems.add("cancelled" + afterRinging());
            case UNAVAILABLE -> unavailable();
            case FAILED -> problems.add("failed with " + report.finalStatus());
            case ANSWERED, ONGOING, RINGING, REDIRECTED -> {}
        }
    }

    private void unavailable() {
        if (report.finalStatus() == 0) {
            problems.add(call.isResponded() ? "no final response" : "no response");
        } else if (call.ringingNs() != Call.NEVER && (report.finalStatus() == 408 || report.finalStatus() == 480)) {
            problems.add("no answer");
        } else {
            problems.add("unavailable (" + report.finalStatus() + ")");
        }
    }

    private String afterRinging() {
        return call.ringingNs() == Call.NEVER || report.endedNs() == Call.NEVER
                ? ""
                : " after ringing " + seconds(report.endedNs() - call.ringingNs());
    }

    /** Only where media was to flow, and where the capture holds media at all. */
    private void missingAudio() {
        OfferAnswer session = call.media().session();
        long talkNs = endNs - session.talkFromNs();
        boolean expected = captureHasMedia
                && session.hasAudio()
                && !session.hasFax()
                && call.media().droppedBindings() == 0
                && talkNs >= AUDIBLE_NS
                && heldNs(session.talkFromNs()) * 2 < talkNs;
        if (!expected) {
            return;
        }
        boolean caller = isHeard(Side.CALLER, SETTLED_NS);
        boolean callee = isHeard(Side.CALLEE, SETTLED_NS);
        if (!caller && !callee) {
            // then it matters who had at least begun to talk
            caller = isHeard(Side.CALLER, BEGUN_NS);
            callee = isHeard(Side.CALLEE, BEGUN_NS);
        }
        boolean callerMissing = !caller && session.silentNs(Side.CALLER, endNs) * 2 < talkNs;
        boolean calleeMissing = !callee && session.silentNs(Side.CALLEE, endNs) * 2 < talkNs;
        if (!caller && !callee && (callerMissing || calleeMissing)) {
            problems.add("no audio");
        } else if (callerMissing || calleeMissing) {
            problems.add("one-way audio: nothing from " + (callerMissing ? Side.CALLER : Side.CALLEE).label());
        }
    }

    /**
     * Whether audio came from a side so long after the answer: ringback and announcements before say nothing of it, nor do
     * key presses. Comfort noise does, for it is what a pause sounds like.
     */
    private boolean isHeard(Side side, long afterAnswerNs) {
        long fromNs = call.media().session().talkFromNs() + afterAnswerNs;
        for (StreamReport stream : report.streams()) {
            if (stream.from() == side && stream.isAudio() && stream.statistics().lastMediaNs() >= fromNs) {
                return true;
            }
        }
        return false;
    }

    /** How long either side had the other on hold, since the call was answered. */
    private long heldNs(long talkFromNs) {
        List<CallReport.Hold> holds = new ArrayList<>(report.holds());
        holds.sort((a, b) -> Long.compare(a.fromNs(), b.fromNs()));
        long sum = 0;
        long countedUntilNs = talkFromNs;
        for (CallReport.Hold hold : holds) {
            sum += Math.max(0, hold.untilNs() - Math.max(countedUntilNs, hold.fromNs()));
            countedUntilNs = Math.max(countedUntilNs, hold.untilNs());
        }
        return sum;
    }

    private void quality(Side side) {
        StreamReport lossy = worst(side, true);
        if (lossy != null && lossy.statistics().lostPercent() >= LOSS_PERCENT) {
            problems.add(percent(lossy.statistics().lostPercent()) + " lost from " + side.label());
        }
        StreamReport poor = worst(side, false);
        if (poor != null && poor.quality() != null && poor.quality().mos() < MOS) {
            problems.add("MOS " + tenths(poor.quality().mos()) + " from " + side.label());
        }
        for (StreamReport stream : report.streams()) {
            if (stream.from() == side && stream.isAudio() && stream.statistics().meanJitterMs() > JITTER_MS) {
                problems.add(Math.round(stream.statistics().meanJitterMs()) + " ms jitter from " + side.label());
                break;
            }
        }
    }

    /** Of a side's streams the one with the most loss, or with the lowest MOS. */
    private @Nullable StreamReport worst(Side side, boolean byLoss) {
        StreamReport worst = null;
        for (StreamReport stream : report.streams()) {
            if (stream.from() == side && (worst == null || isWorse(stream, worst, byLoss))) {
                worst = stream;
            }
        }
        return worst;
    }

    private static boolean isWorse(StreamReport stream, StreamReport other, boolean byLoss) {
        if (byLoss) {
            return stream.statistics().lostPercent() > other.statistics().lostPercent();
        }
        return stream.quality() != null
                && (other.quality() == null
                        || stream.quality().mos() < other.quality().mos());
    }

    private void setUp() {
        long setUpNs = report.setUpNs();
        if (setUpNs != Call.NEVER && setUpNs >= SET_UP_NS) {
            problems.add("set-up took " + seconds(setUpNs));
        }
    }

    private static String seconds(long ns) {
        return Math.round(ns / 1e9) + " s";
    }

    private static String percent(double value) {
        return (value >= 10 ? Long.toString(Math.round(value)) : tenths(value)) + " %";
    }

    /** One decimal, by hand: a formatter takes longer to load than a thousand calls to judge. */
    private static String tenths(double value) {
        long tenths = Math.round(value * 10);
        return tenths / 10 + "." + tenths % 10;
    }
}
