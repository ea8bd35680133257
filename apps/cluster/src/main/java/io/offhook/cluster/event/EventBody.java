package io.offhook.cluster.event;

/** What happened: one of the bodies of the schema, each a record with the name that it has there. */
public sealed interface EventBody
        permits SipMessage,
                StreamBegin,
                StreamInterval,
                StreamEnd,
                Conversation,
                IcmpError,
                Measured,
                Drops,
                Fault,
                ClockStep,
                Heartbeat,
                OtherBody {
    /**
     * Fields that this release does not know, encoded, and values of enums that it does not know; empty if there are none.
     * Whoever passes an event on passes them on.
     */
    Octets unknown();
}
