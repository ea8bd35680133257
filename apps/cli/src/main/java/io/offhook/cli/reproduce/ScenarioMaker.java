package io.offhook.cli.reproduce;

import io.offhook.cli.messages.KeptMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the scripts of both sides of a leg. All messages are in one order, that of the capture: a side sends a message only after
 * it has received all those before it, so that none arrives while its receiver pauses.
 */
final class ScenarioMaker {
    static final String CALLER = "caller";
    static final String CALLEE = "callee";
    private static final long NS_PER_MS = 1_000_000;
    /** A side begins to play this long before it waits for a message, or else without a pause in which that could arrive. */
    private static final long GUARD_NS = 250 * NS_PER_MS;
    /** Longer than an INVITE without a response takes to fail (RFC 3261, 17.1.1.2: 32 s). */
    private static final long LONGEST_TAIL_NS = 35_000 * NS_PER_MS;

    /** How much later than its times sipp may play media. */
    private static final long MEDIA_DELAY_NS = 1000 * NS_PER_MS;

    /** The callee ends after the caller, for whom a connection that is closed is an error. */
    private static final long LINGER_NS = 500 * NS_PER_MS;

    private final CallLeg leg;
    private final Naming naming;
    private final MediaLines media;
    private final MessageText texts;
    private final Timeline timeline;
    private final long tailNs;

    /**
     * @param timeline of the leg
     * @param captureEndNs the end of the capture, nanoseconds since the epoch
     */
    ScenarioMaker(CallLeg leg, MediaLines media, Timeline timeline, long captureEndNs) {
        this.leg = leg;
        this.media = media;
        this.timeline = timeline;
        naming = new Naming(leg.messages());
        texts = new MessageText(leg, naming, media);
        tailNs = isOpen() ? Math.clamp(captureEndNs - lastNs(), 0, LONGEST_TAIL_NS) : 0;
    }

    /** The timeline of a leg. */
    static Timeline timeline(CallLeg leg, long longestNs) {
        return new Timeline(
                leg.messages().stream()
                        .mapToLong(message -> message.kept().timestampNs())
                        .toArray(),
                longestNs);
    }

    private long lastNs() {
        return leg.messages().getLast().kept().timestampNs();
    }

    /** Whether an INVITE got no final response, so that the time after the last message matters. */
    private boolean isOpen() {
        return leg.messages().stream()
                .filter(message -> message.kept().method().equals("INVITE"))
                .anyMatch(invite ->
                        leg.messages().stream().noneMatch(other -> invite.equals(other.request()) && other.isFinal()));
    }

    /**
     * The script of a side.
     *
     * @param track what it plays, on the timeline
     * @param other what the other side plays
     */
    Script script(boolean isCaller, Track track, Track other) {
        Side side = new Side(isCaller);
        long playNs = track.isEmpty() ? Long.MAX_VALUE : side.begin(track.firstNs());
        boolean isPlaying = false;
        for (LegMessage message : leg.messages()) {
            long atNs = timeline.playedNs(message.kept().timestampNs());
            if (!isPlaying && playNs < atNs) {
                isPlaying = side.play(playNs, isCaller);
            }
            side.message(message, atNs);
            if (!isPlaying && playNs == atNs) {
                isPlaying = side.play(playNs, isCaller);
            }
        }
        if (!isPlaying && playNs != Long.MAX_VALUE) {
            side.play(playNs, isCaller);
        }
        side.pauseUntil(endNs(track, other) + (isCaller ? 0 : LINGER_NS));
        return new Script(isCaller ? CALLER : CALLEE, repeated(side.steps));
    }

    /**
     * sipp repeats a message only while it waits for one, and does nothing else before it has received one. An INVITE without any
     * response is repeated to the end.
     */
    private List<Step> repeated(List<Step> steps) {
        List<Step> checked = new ArrayList<>(steps.size());
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            Step next = i + 1 < steps.size() ? steps.get(i + 1) : null;
            if (step instanceof Step.Send send && send.isRepeated() && !(next instanceof Step.Receive)) {
                if (i + 2 == steps.size() && next instanceof Step.Pause pause && isOpen()) {
                    checked.add(send);
                    checked.add(new Step.Await(pause.ms()));
                    break;
                }
                checked.add(new Step.Send(send.text(), false));
            } else {
                checked.add(step);
            }
        }
        return checked;
    }

    /** When both scripts end: with the last message, or the media, which sipp may send somewhat later than it should. */
    private long endNs(Track track, Track other) {
        long endNs = timeline.endNs() + tailNs;
        endNs = track.isEmpty() ? endNs : Math.max(endNs, track.lastNs() + MEDIA_DELAY_NS);
        return other.isEmpty() ? endNs : Math.max(endNs, other.lastNs() + MEDIA_DELAY_NS);
    }

    /** The script of a side in the making. */
    private final class Side {
        private final boolean isCaller;
        private final List<Step> steps = new ArrayList<>();
        private long nowNs;
        private @Nullable LegMessage lastReceived;
        private boolean isOptionalDue;

        Side(boolean isCaller) {
            this.isCaller = isCaller;
        }

        /** When it begins to play; {@link Long#MAX_VALUE} if it never learns where to. */
        long begin(long wantedNs) {
            long learnedNs = Long.MAX_VALUE;
            long beforeNs = 0;
            long nextReceivedNs = Long.MAX_VALUE;
            boolean isNextOwn = false;
            for (LegMessage message : leg.messages()) {
                long atNs = timeline.playedNs(message.kept().timestampNs());
                boolean isOwn = message.isOfCaller() == isCaller;
                if (!isOwn && message.kept().sdpText() != null) {
                    learnedNs = Math.min(learnedNs, atNs);
                }
                if (atNs <= wantedNs) {
                    beforeNs = atNs;
                } else if (nextReceivedNs == Long.MAX_VALUE && !isNextOwn) {
                    isNextOwn = isOwn;
                    nextReceivedNs = isOwn ? Long.MAX_VALUE : atNs;
                }
            }
            if (learnedNs == Long.MAX_VALUE || learnedNs >= wantedNs) {
                return learnedNs;
            }
            if (nextReceivedNs == Long.MAX_VALUE || nextReceivedNs - wantedNs >= GUARD_NS) {
                return wantedNs;
            }
            return wantedNs - beforeNs <= nextReceivedNs - wantedNs ? beforeNs : nextReceivedNs;
        }

        boolean play(long atNs, boolean isOfCaller) {
            pauseUntil(atNs);
            steps.add(new Step.Play(mediaFile(isOfCaller), media.isAudio()));
            return true;
        }

        void pauseUntil(long atNs) {
            long ms = Math.round((atNs - nowNs) / (double) NS_PER_MS);
            if (ms > 0) {
                steps.add(new Step.Pause(ms));
            }
            nowNs = Math.max(nowNs, atNs);
        }

        void message(LegMessage message, long atNs) {
            if (message.isOfCaller() == isCaller) {
                if (steps.isEmpty()) {
                    nowNs = atNs;
                }
                pauseUntil(atNs);
                send(message);
            } else {
                receive(message);
                nowNs = Math.max(nowNs, atNs);
            }
        }

        private void send(LegMessage message) {
            boolean isEchoed = Objects.equals(message.request(), lastReceived);
            KeptMessage kept = message.kept();
            boolean isAnswer = kept.cseqMethod().equals("INVITE") && kept.statusCode() / 100 == 2;
            boolean isRepeated = message.isRequest() ? !kept.method().equals("ACK") : isAnswer;
            steps.add(new Step.Send(texts.of(message, isEchoed), isRepeated));
            isOptionalDue = kept.method().equals("INVITE");
        }

        private void receive(LegMessage message) {
            if (isOptionalDue && !message.isRequest() && message.kept().statusCode() != 100) {
                steps.add(new Step.Receive("100", false, true, List.of()));
            }
            isOptionalDue = false;
            List<Step.Kept> kept = new ArrayList<>();
            if (message.isRequest()) {
                MessageText.Echo echo = MessageText.Echo.of(naming.number(message));
                kept.add(new Step.Kept(echo.via(), "Via:", ".*"));
                kept.add(new Step.Kept(echo.from(), "From:", ".*"));
                kept.add(new Step.Kept(echo.to(), "To:", ".*"));
                kept.add(new Step.Kept(echo.cseq(), "CSeq:", ".*"));
            }
            String tag = message.ownTag();
            String variable = naming.tagVariable(!isCaller, tag);
            if (!variable.isEmpty() && isFirstWith(message, tag)) {
                kept.add(new Step.Kept(variable, message.isRequest() ? "From:" : "To:", ";tag=[^;]*"));
            }
            steps.add(new Step.Receive(message.kind(), message.isRequest(), false, kept));
            lastReceived = message;
        }

        private boolean isFirstWith(LegMessage message, String tag) {
            for (LegMessage other : leg.messages()) {
                if (other.equals(message)) {
                    return true;
                }
                if (other.isOfCaller() == message.isOfCaller() && other.ownTag().equals(tag)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The file with what a side plays. */
    static String mediaFile(boolean isCaller) {
        return isCaller ? "caller-media.pcap" : "callee-media.pcap";
    }
}
