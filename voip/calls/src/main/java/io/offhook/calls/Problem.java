package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.quality.MosScale;
import org.jspecify.annotations.Nullable;

/**
 * Something that was wrong with a call, or worth knowing about it. docs/OUTPUT.md lists the kinds with their limits, and
 * the texts that the command prints.
 *
 * @param kind what it is
 * @param problemClass how much it matters
 * @param side the sender of the packets concerned; null for kinds without a side
 * @param atNs when it happened, or began, nanoseconds since the epoch; {@link CallReport#NEVER} if it has no single time
 * @param seconds how long it took; NaN if that does not apply
 * @param percent a share of packets or of time; NaN if that does not apply
 * @param count of packets or messages; -1 if that does not apply
 * @param status of SIP; 0 if that does not apply
 * @param value depends on the kind; NaN if it has none
 * @param cause what explains it; null if nothing does
 * @param callId the dialog of a joined call that it is of; null if that is the first one
 */
public record Problem(
        Kind kind,
        ProblemClass problemClass,
        @Nullable ProblemSide side,
        long atNs,
        double seconds,
        double percent,
        long count,
        int status,
        double value,
        @Nullable Cause cause,
        @Nullable String callId) {

    /** What can be wrong with a call. */
    public enum Kind {
        /** The callee was busy; with the status. */
        BUSY("busy"),
        /** The callee declined; with the status. */
        DECLINED("declined"),
        /** The caller gave up; with the seconds of ringing, NaN if it did not ring. */
        CANCELLED("cancelled"),
        /** Somebody else answered; with the status. */
        COMPLETED_ELSEWHERE("completedElsewhere"),
        /** It rang, and nobody answered; with the seconds of ringing and the status. */
        NO_ANSWER("noAnswer"),
        /** The callee could not be reached; with the status. */
        UNAVAILABLE("unavailable"),
        /** Another failure; with the status. */
        FAILED("failed"),
        /** The INVITE got no response at all; with the seconds and the count of INVITEs. */
        NO_RESPONSE("noResponse"),
        /** The INVITE got provisional responses only; with the seconds. */
        NO_FINAL_RESPONSE("noFinalResponse"),
        /** The caller waited long for the first sign of progress; with the seconds. */
        SLOW_SET_UP("slowSetUp"),
        /** An answer was never acknowledged; with the seconds since. */
        NO_ACK("noAck"),
        /** An answer was acknowledged late; with the seconds. */
        SLOW_ACK("slowAck"),
        /** SIP messages were sent again; with the count. */
        RETRANSMISSIONS("retransmissions"),
        /** An ICMP error about the call's packets; with the count of errors alike. */
        ICMP_ERROR("icmpError"),
        /** Packets from the side were lost; with percent and count; the value is the most in a row, at that time. */
        LOSS("loss"),
        /** Packets from the side came too late to be played; with percent, count, and the buffer in ms as the value. */
        LATE("late"),
        /**
         * Audio from the side sounded bad; the value is the MOS, the percentage that of the time below 3.6, the
         * time the worst.
         */
        LOW_MOS("lowMos"),
        /** Audio from the side arrived unevenly; the value is the mean jitter in milliseconds. */
        JITTER("jitter"),
        /** Audio from the side paused; with the seconds and the count of lost packets. */
        AUDIO_GAP("audioGap"),
        /** Audio from the side ended before the call did; with the seconds of silence. */
        AUDIO_STOPPED("audioStopped"),
        /** Audio from the side began late; with the seconds. */
        AUDIO_STARTED_LATE("audioStartedLate"),
        /** One side, that of the problem, sent no audio. */
        ONE_WAY_AUDIO("oneWayAudio"),
        /** Neither side sent audio though the call was answered. */
        NO_AUDIO("noAudio"),
        /** Packets from the side went into a relay and did not come out; with percent and count. */
        RELAY_LOSS("relayLoss"),
        /**
         * The call ended without BYE: the other side no longer knew it (with the status), or nobody refreshed the session
         * (with the seconds of its timer).
         */
        DROPPED("dropped"),
        /** The BYE gave a lack of media as its reason; the side is the one that was not heard. */
        MEDIA_TIMEOUT("mediaTimeout"),
        /** Packets are missing to the capture alone; with the count. */
        CAPTURE_LOSS("captureLoss"),
        /** All captured messages go one way, though they show that there were others. */
        ONE_DIRECTION("oneDirection"),
        /** A registration was refused; with the status. */
        REJECTED("rejected"),
        /** A client did not answer the challenge to its registration; with the status. */
        CHALLENGED("challenged"),
        /** A binding ran out before it was refreshed; with the seconds without one. */
        EXPIRED("expired");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The name in JSON. */
        public String label() {
            return label;
        }

        /** Whether only a registration can have it. */
        public boolean isOfRegistration() {
            return this == REJECTED || this == CHALLENGED || this == EXPIRED;
        }
    }

    /** What explains a problem. */
    public sealed interface Cause {
        /**
         * An ICMP error.
         *
         * @param event the first of those alike
         */
        record Icmp(IcmpEvent event) implements Cause {}

        /**
         * Why audio is missing.
         *
         * @param cause as far as the capture shows
         */
        record Audio(AudioCause cause) implements Cause {}

        /**
         * Where packets got lost.
         *
         * @param into the endpoint of the relay that received them
         * @param towards the endpoint that should have received them from it
         */
        record Relay(Endpoint into, Endpoint towards) implements Cause {}

        /**
         * What a MOS is.
         *
         * @param scale that it is on
         * @param isEstimate whether the values of its codec are not agreed
         */
        record Scale(MosScale scale, boolean isEstimate) implements Cause {}

        /**
         * What a stream carries that is no audio.
         *
         * @param type as in SDP: {@code video}
         */
        record Media(String type) implements Cause {}
    }

    /** A problem without figures. */
    static Problem of(Kind kind, ProblemClass problemClass, long atNs) {
        return new Problem(kind, problemClass, null, atNs, Double.NaN, Double.NaN, -1, 0, Double.NaN, null, null);
    }

    Problem from(ProblemSide side) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    Problem withSeconds(double seconds) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    Problem withPercent(double percent) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    Problem withCount(long count) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    Problem withStatus(int status) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    Problem withValue(double value) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    Problem because(Cause cause) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    /** The same problem of another dialog of the call. */
    Problem of(String callId) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    /** The same problem of another kind and class. */
    Problem as(Kind kind, ProblemClass problemClass) {
        return new Problem(kind, problemClass, side, atNs, seconds, percent, count, status, value, cause, callId);
    }

    /** The ICMP error that explains it; null if none does. */
    public @Nullable IcmpEvent icmp() {
        return cause instanceof Cause.Icmp icmp ? icmp.event() : null;
    }

    /** Whether the service failed. */
    public boolean isBad() {
        return problemClass == ProblemClass.SERVICE;
    }
}
