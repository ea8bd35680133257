package io.offhook.cluster.spool;

/** What a spool did with an event. */
public enum SpoolStatus {
    /** It is kept until it is acknowledged, or the spool reaches its limit. */
    KEPT,
    /** The disk took it not, or not whole: it is lost, and counted as such. */
    REFUSED
}
