package io.offhook.proxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipTransport;
import org.junit.jupiter.api.Test;

class DownListTest {
    private static Destination destination(int last) {
        return new Destination(SipTransport.UDP, IpAddress.ofIpv4(0xc0000200 | last), 5060, "x");
    }

    @Test
    void remembersNoMoreThanItsLimitAndCountsTheRest() {
        DownList list = new DownList(1000, 2);
        list.failed(destination(1), DownList.Failure.TRANSPORT, 0, 0);
        list.failed(destination(2), DownList.Failure.TIMEOUT, 0, 500);
        list.failed(destination(3), DownList.Failure.TIMEOUT, 0, 500);

        assertThat(list.isDown(destination(3), 500)).isFalse();
        assertThat(list.forgotten()).isEqualTo(1);
        list.failed(destination(3), DownList.Failure.TIMEOUT, 0, 1000); // the first one's time is over
        assertThat(list.isDown(destination(3), 1000)).isTrue();
        assertThat(list.isDown(destination(2), 1499)).isTrue();
        assertThat(list.isDown(destination(2), 1500)).isFalse();
        assertThat(list.failures(DownList.Failure.TIMEOUT)).isEqualTo(3);
    }

    @Test
    void respectsRetryAfterWithinReason() {
        DownList list = new DownList(1000, 10);
        list.failed(destination(1), DownList.Failure.UNAVAILABLE, 5000, 0);
        list.failed(destination(2), DownList.Failure.UNAVAILABLE, 86_400_000, 0);

        assertThat(list.isDown(destination(1), 4999)).isTrue();
        assertThat(list.isDown(destination(1), 5000)).isFalse();
        assertThat(list.isDown(destination(2), 9999)).isTrue();
        assertThat(list.isDown(destination(2), 10_000)).isFalse();
    }

    @Test
    void distinguishesTransportsAndPortsButNotServerNames() {
        DownList list = new DownList(1000, 10);
        list.failed(destination(1), DownList.Failure.TRANSPORT, 0, 0);

        IpAddress address = destination(1).address();
        assertThat(list.isDown(new Destination(SipTransport.UDP, address, 5060, "other"), 1))
                .isTrue();
        assertThat(list.isDown(new Destination(SipTransport.TCP, address, 5060, "x"), 1))
                .isFalse();
        assertThat(list.isDown(new Destination(SipTransport.UDP, address, 5061, "x"), 1))
                .isFalse();
    }

    @Test
    void remembersNothingWhereThatIsOff() {
        DownList list = new DownList(0, 10);
        list.failed(destination(1), DownList.Failure.TRANSPORT, 60_000, 0);

        assertThat(list.size()).isZero();
    }
}
