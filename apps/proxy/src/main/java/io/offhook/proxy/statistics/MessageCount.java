package io.offhook.proxy.statistics;

import io.offhook.sip.SipMethod;
import java.util.Comparator;

/**
 * How often a message of one kind came and went.
 *
 * @param method the method of the request, or of the request that is answered
 * @param status of the response, 100 to 699; 0 for the request
 * @param received came for the first time
 * @param receivedAgain came again
 * @param sent went for the first time
 * @param sentAgain went again
 */
public record MessageCount(SipMethod method, int status, long received, long receivedAgain, long sent, long sentAgain) {
    static final Comparator<MessageCount> IN_ORDER =
            Comparator.comparing(MessageCount::method).thenComparingInt(MessageCount::status);

    /** {@code INVITE}, {@code 180 INVITE}. */
    public String words() {
        return status == 0 ? method.name() : status + " " + method.name();
    }

    MessageCount plus(MessageCount other) {
        return new MessageCount(
                method,
                status,
                received + other.received,
                receivedAgain + other.receivedAgain,
                sent + other.sent,
                sentAgain + other.sentAgain);
    }
}
