package io.offhook.proxy.statistics;

import io.offhook.sip.SipMethod;

/** A method and a status as one small number; the status of a request is 0. */
final class MessageKey {
    private static final SipMethod[] METHODS = SipMethod.values();
    private static final int STATUSES = 700;

    /** More than any key. */
    static final int END = METHODS.length * STATUSES;

    private MessageKey() {}

    /** What has no status of SIP counts as status 699. */
    @SuppressWarnings("EnumOrdinal") // used as an index only
    static int of(SipMethod method, int status) {
        int known = status == 0 || status >= 100 && status < STATUSES ? status : STATUSES - 1;
        return method.ordinal() * STATUSES + known;
    }

    static SipMethod method(int key) {
        return METHODS[key / STATUSES];
    }

    static int status(int key) {
        return key % STATUSES;
    }
}
