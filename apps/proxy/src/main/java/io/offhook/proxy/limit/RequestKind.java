package io.offhook.proxy.limit;

import io.offhook.sip.SipMethod;

/** How a message stands when not all can be served (RFC 7339, 5.10.1). */
public enum RequestKind {
    /** Belongs to something that was admitted, or ends it: responses, ACK, CANCEL, BYE, all in dialogs. Never refused. */
    ONGOING,
    /** An INVITE outside of dialogs. */
    CALL,
    /** A REGISTER. */
    REGISTRATION,
    /** Any other request outside of dialogs: OPTIONS, SUBSCRIBE, MESSAGE, PUBLISH. */
    OTHER;

    /**
     * The kind of a request.
     *
     * @param method its method
     * @param isInDialog whether it belongs to a dialog
     */
    public static RequestKind of(SipMethod method, boolean isInDialog) {
        if (isInDialog) {
            return ONGOING;
        }
        return switch (method) {
            case INVITE -> CALL;
            case REGISTER -> REGISTRATION;
            case ACK, CANCEL, BYE, PRACK, UPDATE, INFO -> ONGOING; // they make no sense outside of something ongoing
            default -> OTHER;
        };
    }
}
