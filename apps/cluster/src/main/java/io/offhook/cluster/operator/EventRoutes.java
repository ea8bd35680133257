package io.offhook.cluster.operator;

import io.offhook.cluster.event.Conversation;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.IcmpError;
import io.offhook.cluster.event.Measured;
import io.offhook.cluster.event.SipMessage;
import io.offhook.cluster.event.StreamBegin;
import io.offhook.cluster.event.StreamEnd;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.event.StreamInterval;
import io.offhook.cluster.message.SeenEvent;
import io.offhook.cluster.message.StreamName;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;

/** Which operators an event goes to. What concerns a capture as a whole goes to all instances of {@link CallOperator}. */
public final class EventRoutes {
    private EventRoutes() {}

    /**
     * Sends an event that concerns calls.
     *
     * @return false if it concerns a capture as a whole, or is of a later release
     */
    public static boolean route(Event event, Output output) {
        switch (event.body()) {
            case SipMessage sip -> {
                if (sip.callIdHash() == 0) {
                    output.count(OperatorCount.WITHOUT_CALL_ID, 1);
                } else {
                    output.send(Stage.DIALOG, OperatorKey.ofCall(sip.callIdHash()), new SeenEvent(event));
                }
            }
            case StreamBegin begin -> stream(event, begin.stream(), output);
            case StreamInterval interval -> stream(event, interval.stream(), output);
            case StreamEnd end -> stream(event, end.stream(), output);
            case Conversation talk -> {
                endpoint(talk.one(), event, output);
                endpoint(talk.other(), event, output);
            }
            case IcmpError icmp -> icmp(event, icmp, output);
            case Measured measured -> {
                if (measured.callId().isEmpty()) {
                    output.count(OperatorCount.UNASSIGNED_MEASUREMENTS, 1);
                } else {
                    long hash = SipMessageView.callIdHash(measured.callId());
                    output.send(Stage.CALL, OperatorKey.ofCall(hash), new SeenEvent(event));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void stream(Event event, StreamId stream, Output output) {
        OperatorKey key = OperatorKey.of(StreamName.of(event.origin(), stream));
        output.send(Stage.STREAM, key, new SeenEvent(event));
        output.send(Stage.BINDING, key, new SeenEvent(event));
    }

    private static void icmp(Event event, IcmpError icmp, Output output) {
        long hash = icmp.callIdHash() != 0 ? icmp.callIdHash() : icmp.boundCallIdHash();
        if (hash != 0) {
            output.send(Stage.CALL, OperatorKey.ofCall(hash), new SeenEvent(event));
        } else {
            endpoint(icmp.destination(), event, output);
            endpoint(icmp.source(), event, output);
        }
    }

    /** To an endpoint, and to the one whose RTCP is there. */
    private static void endpoint(Endpoint endpoint, Event event, Output output) {
        output.send(Stage.ENDPOINT, OperatorKey.of(endpoint), new SeenEvent(event));
        if (endpoint.port() > 0) {
            output.send(Stage.ENDPOINT, OperatorKey.of(endpoint.withPort(endpoint.port() - 1)), new SeenEvent(event));
        }
    }
}
