package io.offhook.proxy.statistics;

import java.util.Locale;

/** The four state machines of RFC 3261, 17. */
public enum TransactionKind {
    /** INVITE, received (17.2.1). */
    INVITE_SERVER,
    /** INVITE, sent (17.1.1). */
    INVITE_CLIENT,
    /** Another request, received (17.2.2). */
    OTHER_SERVER,
    /** Another request, sent (17.1.2). */
    OTHER_CLIENT;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The kind as it is written: "invite_server". */
    public String word() {
        return word;
    }
}
