package io.offhook.proxy.statistics;

import io.offhook.sip.SipMethod;
import java.util.Locale;

/** The kinds of messages whose time in the proxy is measured apart. */
public enum MessageKind {
    /** INVITE. */
    INVITE,
    /** ACK. */
    ACK,
    /** BYE. */
    BYE,
    /** CANCEL. */
    CANCEL,
    /** REGISTER. */
    REGISTER,
    /** Any other request. */
    OTHER_REQUEST,
    /** A provisional response. */
    PROVISIONAL,
    /** A 2xx response. */
    SUCCESS,
    /** A response of 300 to 699. */
    FAILURE;

    private final String word = name().toLowerCase(Locale.ROOT);

    /**
     * The kind of a message.
     *
     * @param status of a response, else 0
     */
    public static MessageKind of(SipMethod method, int status) {
        if (status != 0) {
            return status < 200 ? PROVISIONAL : status < 300 ? SUCCESS : FAILURE;
        }
        return switch (method) {
            case INVITE -> INVITE;
            case ACK -> ACK;
            case BYE -> BYE;
            case CANCEL -> CANCEL;
            case REGISTER -> REGISTER;
            default -> OTHER_REQUEST;
        };
    }

    /** The kind as it is written: "other_request". */
    public String word() {
        return word;
    }
}
