package io.offhook.cli.xray;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.monitor.OwnSocket;
import io.offhook.monitor.xray.Gap;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnEndsTest {
    private static final Endpoint PEER = Endpoint.of("198.51.100.1", 5060);
    private static final Endpoint OWN = Endpoint.of("192.0.2.2", 5060);

    private final OwnEnds ends = new OwnEnds(Set.of(
            Objects.requireNonNull(IpAddress.parse("192.0.2.2")),
            Objects.requireNonNull(IpAddress.parse("2001:db8::2"))));

    @Test
    void aSocketThatIsBoundToAnAddressHasThatOnly() {
        ends.update(List.of(new OwnSocket(false, "192.0.2.2:5060", "", 11)));
        assertThat(ends.has(OWN, PEER, false)).isTrue();
        assertThat(ends.queue(OWN, PEER, false)).isEqualTo(11);
        assertThat(ends.has(OWN.withPort(5061), PEER, false)).isFalse();
        assertThat(ends.has(PEER, OWN, false)).isFalse();
        assertThat(ends.has(OWN, PEER, true)).as("as TCP").isFalse();
        assertThat(ends.has(Endpoint.of("127.0.0.1", 5060), PEER, false)).isFalse();
    }

    @Test
    void aSocketThatIsBoundToNoneHasAllAddressesOfThisMachine() {
        ends.update(List.of(new OwnSocket(false, "[0:0:0:0:0:0:0:0]:5060", "", 12)));
        for (String own : List.of("192.0.2.2", "2001:db8::2", "127.0.0.1", "127.3.2.1", "::1")) {
            assertThat(ends.queue(Endpoint.of(own, 5060), PEER, false)).as(own).isEqualTo(12);
        }
        assertThat(ends.has(PEER, OWN, false)).as("the same port elsewhere").isFalse();
        ends.update(List.of(new OwnSocket(false, "0.0.0.0:5060", "", 13)));
        assertThat(ends.has(OWN, PEER, false)).isTrue();
        assertThat(ends.has(Endpoint.of("2001:db8::2", 5060), PEER, false)).isFalse();
    }

    @Test
    void connectionsAreKnownByBothEndsAlsoAfterTheyWereClosed() {
        Endpoint ephemeral = OWN.withPort(40_000);
        ends.update(List.of(
                new OwnSocket(true, "192.0.2.2:40000", "198.51.100.1:5060", 21),
                new OwnSocket(true, "0.0.0.0:5060", "", 22)));
        assertThat(ends.queue(ephemeral, PEER, true)).isEqualTo(21);
        assertThat(ends.has(ephemeral, PEER.withPort(1), true)).isFalse();
        // one that was accepted since: whose it is, is known, but not its queue
        assertThat(ends.has(OWN, PEER, true)).isTrue();
        assertThat(ends.queue(OWN, PEER, true)).isEqualTo(Gap.NO_QUEUE);
        ends.update(List.of());
        assertThat(ends.has(ephemeral, PEER, true)).isTrue();
        assertThat(ends.has(OWN, PEER, true)).isFalse();
    }
}
