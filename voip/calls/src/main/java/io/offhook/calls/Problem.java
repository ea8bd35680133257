package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import org.jspecify.annotations.Nullable;

/**
 * Something that was wrong with a call. docs/OUTPUT.md lists the limits, and the texts that the command prints.
 *
 * @param kind what was wrong
 * @param side the sender of the packets concerned, for the kinds that have a side; else null
 * @param atNs when it happened, or began, nanoseconds since the epoch; {@link CallReport#NEVER} if it has no single
 *     time
 * @param value depends on the kind; NaN if it has none
 * @param cause the ICMP error, for {@link Kind#ICMP}; else null
 */
public record Problem(
        Kind kind,
        @Nullable Side side,
        long atNs,
        double value,
        @Nullable IcmpEvent cause) {

    /** What can be wrong with a call, and what {@link Problem#value} means for it. */
    public enum Kind {
        /** The callee was busy. */
        BUSY,
        /** The callee declined. */
        DECLINED,
        /** The caller gave up; the value is how long it rang, in seconds, NaN if it did not ring. */
        CANCELLED,
        /** Another failure; the value is the SIP status. */
        FAILED,
        /** The INVITE got no response at all. */
        NO_RESPONSE,
        /** The INVITE got provisional responses only. */
        NO_FINAL_RESPONSE,
        /** It rang, and nobody answered. */
        NO_ANSWER,
        /** The callee could not be reached; the value is the SIP status. */
        UNAVAILABLE,
        /** Neither side sent audio though the call was answered. */
        NO_AUDIO,
        /** One side, that of the problem, sent no audio. */
        ONE_WAY_AUDIO,
        /** Packets from the side were lost; the value is in percent. */
        LOSS,
        /** Audio from the side sounded bad; the value is the MOS, 1 to 5. */
        LOW_MOS,
        /** Audio from the side arrived unevenly; the value is the mean jitter in milliseconds. */
        JITTER,
        /** The caller waited long for the first sign of progress; the value is in seconds. */
        SLOW_SET_UP,
        /** An answer was never acknowledged. */
        NO_ACK,
        /** An answer was acknowledged late; the value is in seconds. */
        SLOW_ACK,
        /** An ICMP error about the call's packets: the cause. */
        ICMP,
        /** SIP messages were sent again; the value is how many. */
        SENT_AGAIN
    }
}
