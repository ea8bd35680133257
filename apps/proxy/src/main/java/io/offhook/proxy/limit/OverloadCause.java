package io.offhook.proxy.limit;

/** What was refused because messages waited too long. */
public enum OverloadCause {
    /** An INVITE outside of dialogs. */
    CALL,
    /** A REGISTER. */
    REGISTRATION,
    /** Any other request outside of dialogs. */
    OTHER,
    /** A retransmission of a request that was refused before: its sender may already have the 503. */
    REPEATED;

    /** The cause of refusing a request that is not {@linkplain RequestKind#ONGOING ongoing}. */
    static OverloadCause of(RequestKind kind) {
        return switch (kind) {
            case CALL -> CALL;
            case REGISTRATION -> REGISTRATION;
            case OTHER, ONGOING -> OTHER;
        };
    }
}
