package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages between the proxy and one neighbour, and where some of them vanished.
 *
 * @param neighbour its address and port; the port is 0 for connections that it opened; null for all that are not counted
 *     apart
 * @param messages by method and status
 * @param losses what did not arrive between the two, as far as their counts show it
 */
public record NeighbourFigures(@Nullable Endpoint neighbour, List<MessageCount> messages, List<Loss> losses) {

    /** Copies the lists. */
    public NeighbourFigures {
        messages = List.copyOf(messages);
        losses = List.copyOf(losses);
    }

    /** What vanished on the way between the proxy and its neighbour, which repeats show. */
    public enum Lost {
        /** Requests to the neighbour, or its responses: the proxy sent them again. */
        REQUEST_OR_RESPONSE,
        /** Responses to the neighbour: it sent requests again that the proxy has. */
        RESPONSE_TO_NEIGHBOUR,
        /** A 2xx to the neighbour, or its ACK: the 2xx went again and again. */
        SUCCESS_OR_ACK,
        /** An ACK to the neighbour: the proxy sent it, and its 2xx came again. */
        ACK_TO_NEIGHBOUR
    }

    /**
     * A loss.
     *
     * @param lost what vanished
     * @param method of which request
     * @param again how many messages were repeated for it
     * @param unrepaired how many of the first ones had no effect to the end: no response, no ACK
     */
    public record Loss(Lost lost, SipMethod method, long again, long unrepaired) {}

    static NeighbourFigures of(@Nullable Endpoint neighbour, List<MessageCount> messages) {
        return new NeighbourFigures(neighbour, messages, losses(messages));
    }

    private static List<Loss> losses(List<MessageCount> messages) {
        List<Loss> losses = new ArrayList<>();
        for (MessageCount one : messages) {
            if (one.status() == 0 && one.method() != SipMethod.ACK) {
                ofRequest(one, messages, losses);
            } else if (one.status() == 0) {
                ofAcknowledgement(one, messages, losses);
            }
        }
        MessageCount none = new MessageCount(SipMethod.ACK, 0, 0, 0, 0, 0);
        if (messages.stream().noneMatch(one -> one.method() == SipMethod.ACK && one.status() == 0)) {
            ofAcknowledgement(none, messages, losses);
        }
        return losses;
    }

    private static void ofRequest(MessageCount request, List<MessageCount> messages, List<Loss> losses) {
        if (request.sentAgain() > 0) {
            long answered = responses(messages, request.method(), 200, 699).received();
            losses.add(new Loss(
                    Lost.REQUEST_OR_RESPONSE,
                    request.method(),
                    request.sentAgain(),
                    Math.max(0, request.sent() - answered)));
        }
        if (request.receivedAgain() > 0) {
            long answered = responses(messages, request.method(), 200, 699).sent();
            losses.add(new Loss(
                    Lost.RESPONSE_TO_NEIGHBOUR,
                    request.method(),
                    request.receivedAgain(),
                    Math.max(0, request.received() - answered)));
        }
    }

    /** The 2xx of INVITE is repeated by the callee until the ACK of the caller arrives (RFC 3261, 13.3.1.4). */
    private static void ofAcknowledgement(MessageCount ack, List<MessageCount> messages, List<Loss> losses) {
        MessageCount success = responses(messages, SipMethod.INVITE, 200, 299);
        if (success.sentAgain() > 0 && ack.received() < success.sent() + success.sentAgain()) {
            losses.add(new Loss(
                    Lost.SUCCESS_OR_ACK,
                    SipMethod.INVITE,
                    success.sentAgain(),
                    Math.max(0, success.sent() - ack.received())));
        }
        if (success.receivedAgain() > 0 && ack.sent() + ack.sentAgain() > success.received()) {
            losses.add(new Loss(Lost.ACK_TO_NEIGHBOUR, SipMethod.ACK, success.receivedAgain(), 0));
        }
    }

    private static MessageCount responses(List<MessageCount> messages, SipMethod method, int from, int to) {
        MessageCount sum = new MessageCount(method, from, 0, 0, 0, 0);
        for (MessageCount one : messages) {
            if (one.method() == method && one.status() >= from && one.status() <= to) {
                sum = sum.plus(one);
            }
        }
        return sum;
    }
}
