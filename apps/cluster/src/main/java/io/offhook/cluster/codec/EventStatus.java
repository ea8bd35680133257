package io.offhook.cluster.codec;

/** What became of octets that should be an event. */
public enum EventStatus {
    /** An event, of which this release knows the body. */
    OK,
    /** An event whose body this release does not know: its envelope can be used, and it can be passed on. */
    UNKNOWN_BODY,
    /** More than {@value io.offhook.cluster.event.Limits#EVENT} octets, which were not looked at. */
    TOO_LONG,
    /** No protobuf, or cut. */
    BROKEN,
    /** A field is missing or outside of its range, or there is not exactly one body. */
    OUT_OF_RANGE;

    /** Whether {@link EventReader#event()} is there. */
    public boolean isEvent() {
        return this == OK || this == UNKNOWN_BODY;
    }
}
