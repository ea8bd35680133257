package io.offhook.cli.reproduce;

import io.offhook.calls.event.SipListener.Copy;
import io.offhook.cli.messages.KeptMessage;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A hop of a dialog: the messages of one Call-ID between two hosts, each once, in the order of the capture. It begins with a
 * request.
 *
 * @param callId of the dialog
 * @param caller who sent the first request, and from where
 * @param callee who received it, and where
 * @param transport of the first message
 * @param messages one or more; the first is a request of the caller
 * @param leftOut messages that cannot be played: responses to what was not captured, and messages without From, To or CSeq
 */
record CallLeg(
        String callId,
        Endpoint caller,
        Endpoint callee,
        SipTransport transport,
        List<LegMessage> messages,
        int leftOut) {

    /** Two hosts, or two endpoints of one host, in a fixed order. */
    private record Pair(String callId, Endpoint one, Endpoint other) {
        static Pair of(KeptMessage message) {
            Endpoint from = message.source();
            Endpoint to = message.destination();
            if (!from.address().equals(to.address())) {
                from = from.withPort(0);
                to = to.withPort(0);
            }
            boolean isOrdered = from.toString().compareTo(to.toString()) <= 0;
            return new Pair(message.callId(), isOrdered ? from : to, isOrdered ? to : from);
        }
    }

    /** The legs of a call in the order in which they begin; those without a request are none. */
    static List<CallLeg> of(List<KeptMessage> messages) {
        Map<Pair, List<KeptMessage>> byPair = new LinkedHashMap<>();
        for (KeptMessage message : messages) {
            if (message.copy() == Copy.FIRST) {
                byPair.computeIfAbsent(Pair.of(message), _ -> new ArrayList<>()).add(message);
            }
        }
        List<CallLeg> legs = new ArrayList<>();
        for (List<KeptMessage> of : byPair.values()) {
            CallLeg leg = leg(of);
            if (!leg.messages.isEmpty()) {
                legs.add(leg);
            }
        }
        return legs;
    }

    private static CallLeg leg(List<KeptMessage> kept) {
        KeptMessage first = kept.getFirst();
        for (KeptMessage message : kept) {
            if (message.isRequest()) {
                first = message;
                break;
            }
        }
        List<LegMessage> playable = new ArrayList<>();
        for (KeptMessage message : kept) {
            boolean isOfCaller = sender(message).equals(sender(first))
                    && (!message.source().address().equals(message.destination().address())
                            || message.source().equals(first.source()));
            LegMessage made = LegMessage.of(message, isOfCaller, playable);
            if (made != null) {
                playable.add(made);
            }
        }
        return new CallLeg(
                first.callId(),
                first.source(),
                first.destination(),
                first.transport(),
                List.copyOf(playable),
                kept.size() - playable.size());
    }

    private static String sender(KeptMessage message) {
        return message.source().addressText();
    }

    /** The same leg with some of its messages; a response stays only if its request does. */
    CallLeg with(List<LegMessage> some) {
        return new CallLeg(callId, caller, callee, transport, List.copyOf(some), leftOut);
    }

    /** Whether one of its messages is an INVITE. */
    boolean hasInvite() {
        return messages.stream().anyMatch(message -> message.kept().method().equals("INVITE"));
    }

    /** When its first message was captured, nanoseconds since the epoch. */
    long startNs() {
        return messages.getFirst().kept().timestampNs();
    }

    /** "192.0.2.1:5060 > 192.0.2.2:5060, 12 messages". */
    String summary() {
        return caller + " > " + callee + ", " + messages.size() + (messages.size() == 1 ? " message" : " messages");
    }
}
