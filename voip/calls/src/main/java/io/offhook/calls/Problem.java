package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was wrong with a call. docs/OUTPUT.md lists the limits, and the words in which the command prints it.
 *
 * @param kind what was wrong
 * @param side whose packets it is about, for the kinds that have a side; else null
 * @param atNs when it happened, or began, nanoseconds since the epoch; {@link CallReport#NEVER} where it has no one time
 * @param value as the kind has it; NaN where it has none
 * @param cause the ICMP error, of {@link Kind#ICMP}; else null
 */
public record Problem(
        Kind kind,
        @Nullable Side side,
        long atNs,
        double value,
        @Nullable IcmpEvent cause) {

    /** What can be wrong with a call, and what {@link Problem#value} is then. */
    public enum Kind {
        /** The callee was busy. */
        BUSY,
        /** The callee declined. */
        DECLINED,
        /** The caller gave up; the value is how long it rang, in seconds, NaN where it did not ring. */
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
        /** Neither side was heard though the call was answered. */
        NO_AUDIO,
        /** One side was not heard: the side of the problem. */
        ONE_WAY_AUDIO,
        /** Packets from the side were lost; the value is in percent. */
        LOSS,
        /** Audio from the side sounded bad; the value is the MOS, 1 to 5. */
        LOW_MOS,
        /** Audio from the side came unevenly; the value is the mean jitter in milliseconds. */
        JITTER,
        /** The caller waited long for the first sign; the value is in seconds. */
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
