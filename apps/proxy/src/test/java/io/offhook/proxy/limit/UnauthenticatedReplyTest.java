package io.offhook.proxy.limit;

import static io.offhook.proxy.limit.UnauthenticatedReply.Decision.ALLOWED;
import static io.offhook.proxy.limit.UnauthenticatedReply.Decision.NOT_ONE_HOST;
import static io.offhook.proxy.limit.UnauthenticatedReply.Decision.OURSELVES;
import static io.offhook.proxy.limit.UnauthenticatedReply.Decision.PORT_ZERO;
import static io.offhook.proxy.limit.UnauthenticatedReply.Decision.TOO_LARGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** No reply is of use to somebody who forges its destination. */
class UnauthenticatedReplyTest {
    private static final UnauthenticatedReply RULE = new UnauthenticatedReply(
            List.of(Endpoint.of("192.0.2.1", 5060), Endpoint.of("2001:db8::1", 5060)),
            List.of(Objects.requireNonNull(IpAddress.parse("192.0.2.255"))));

    private static UnauthenticatedReply.Decision decide(int reply, int request, String address, int port) {
        return RULE.decide(reply, request, Endpoint.of(address, port));
    }

    @Test
    void allowsThreeTimesTheRequest() {
        assertThat(decide(1200, 400, "198.51.100.1", 5060)).isEqualTo(ALLOWED);
        assertThat(decide(1201, 400, "198.51.100.1", 5060)).isEqualTo(TOO_LARGE);
        assertThat(decide(1, 0, "198.51.100.1", 5060)).isEqualTo(TOO_LARGE);
        assertThat(decide(Integer.MAX_VALUE, Integer.MAX_VALUE, "2001:db8::2", 1))
                .isEqualTo(ALLOWED);
    }

    @Test
    void repliesToOneHostOnly() {
        for (String group : List.of(
                "224.0.1.75",
                "239.255.255.255",
                "255.255.255.255",
                "240.0.0.1",
                "0.0.0.0",
                "0.1.2.3",
                "192.0.2.255",
                "ff02::1",
                "ff0e::1",
                "::")) {
            assertThat(decide(10, 400, group, 5060)).as(group).isEqualTo(NOT_ONE_HOST);
        }
        for (String host : List.of("223.255.255.255", "127.0.0.1", "10.0.0.255", "fe80::1", "::1")) {
            assertThat(decide(10, 400, host, 5060)).as(host).isEqualTo(ALLOWED);
        }
    }

    @Test
    void doesNotTalkToItselfOrToPortZero() {
        assertThat(decide(10, 400, "192.0.2.1", 5060)).isEqualTo(OURSELVES);
        assertThat(decide(10, 400, "2001:db8::1", 5060)).isEqualTo(OURSELVES);
        assertThat(decide(10, 400, "192.0.2.1", 5062)).isEqualTo(ALLOWED);
        assertThat(decide(10, 400, "198.51.100.1", 0)).isEqualTo(PORT_ZERO);
    }
}
