package io.offhook.proxy.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.statistics.NeighbourFigures.Loss;
import io.offhook.proxy.statistics.NeighbourFigures.Lost;
import io.offhook.sip.SipMethod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of two legs of which one loses something, the counts name that one. */
class NeighbourFiguresTest {
    private static List<Loss> losses(MessageCount... counts) {
        return NeighbourFigures.of(Endpoint.of("192.0.2.1", 5060), List.of(counts))
                .losses();
    }

    private static MessageCount received(SipMethod method, int status, long first, long again) {
        return new MessageCount(method, status, first, again, 0, 0);
    }

    private static MessageCount sent(SipMethod method, int status, long first, long again) {
        return new MessageCount(method, status, 0, 0, first, again);
    }

    @Test
    void nothingIsLostWhereNothingIsRepeated() {
        assertThat(losses(
                        received(SipMethod.INVITE, 0, 10, 0),
                        sent(SipMethod.INVITE, 200, 10, 0),
                        received(SipMethod.ACK, 0, 10, 0)))
                .isEmpty();
    }

    @Test
    void requestsThatNobodyAnswersVanishBehindTheProxy() {
        assertThat(losses(sent(SipMethod.INVITE, 0, 10, 18), received(SipMethod.INVITE, 200, 7, 0)))
                .containsExactly(new Loss(Lost.REQUEST_OR_RESPONSE, SipMethod.INVITE, 18, 3));
        assertThat(losses(sent(SipMethod.BYE, 0, 10, 4), received(SipMethod.BYE, 200, 10, 0)))
                .containsExactly(new Loss(Lost.REQUEST_OR_RESPONSE, SipMethod.BYE, 4, 0));
    }

    @Test
    void requestsThatComeAgainMissTheResponsesOfTheProxy() {
        assertThat(losses(received(SipMethod.REGISTER, 0, 10, 5), sent(SipMethod.REGISTER, 200, 10, 5)))
                .containsExactly(new Loss(Lost.RESPONSE_TO_NEIGHBOUR, SipMethod.REGISTER, 5, 0));
    }

    @Test
    void anAckThatVanishesBeforeTheProxyIsThatOfTheCallersLeg() {
        // the callee repeats its 200, the proxy passes it on, and the caller's ACK never arrives
        assertThat(losses(sent(SipMethod.INVITE, 200, 10, 60), received(SipMethod.ACK, 0, 2, 0)))
                .containsExactly(new Loss(Lost.SUCCESS_OR_ACK, SipMethod.INVITE, 60, 8));
        assertThat(losses(sent(SipMethod.INVITE, 200, 10, 60)))
                .containsExactly(new Loss(Lost.SUCCESS_OR_ACK, SipMethod.INVITE, 60, 10));
        assertThat(losses(received(SipMethod.INVITE, 200, 10, 60)))
                .as("the leg of the callee, to whom no ACK was sent")
                .isEmpty();
    }

    @Test
    void anAckThatVanishesBehindTheProxyIsThatOfTheCalleesLeg() {
        assertThat(losses(received(SipMethod.INVITE, 200, 10, 60), sent(SipMethod.ACK, 0, 70, 0)))
                .containsExactly(new Loss(Lost.ACK_TO_NEIGHBOUR, SipMethod.ACK, 60, 0));
        assertThat(losses(sent(SipMethod.INVITE, 200, 10, 60), received(SipMethod.ACK, 0, 70, 0)))
                .as("the leg of the caller, who acknowledged each 200")
                .isEmpty();
    }
}
