package io.offhook.sip;

/** The direction of media from the point of view of the side that wrote the description (RFC 8866, 6.7). */
public enum MediaDirection {
    /** The writer sends and receives. */
    SENDRECV,
    /** The writer only sends. */
    SENDONLY,
    /** The writer only receives. */
    RECVONLY,
    /** The writer neither sends nor receives. */
    INACTIVE;

    /** Whether the writer sends. */
    public boolean sends() {
        return this == SENDRECV || this == SENDONLY;
    }

    /** Whether the writer receives. */
    public boolean receives() {
        return this == SENDRECV || this == RECVONLY;
    }
}
