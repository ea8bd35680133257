package io.offhook.cluster.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventKeyTest {
    private static final Endpoint ALICE = Endpoint.of("192.0.2.1", 5060);
    private static final Endpoint BOB = Endpoint.of("2001:db8::2", 5060);

    /** Computed by the formula of docs/EVENTS.md in another language. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "1, 12, 4",
        "123456789abcdef, 12, 8",
        "ffffffffffffffff, 12, 8",
        "8000000000000000, 1000, 147",
        "2a, 7, 4"
    })
    void partitionsAreThoseOfTheDocument(String key, int partitions, int partition) {
        assertThat(EventKey.partition(Long.parseUnsignedLong(key, 16), partitions))
                .isEqualTo(partition);
    }

    @Test
    void keysSpreadOverAllPartitions() {
        int[] counts = new int[12];
        for (int i = 0; i < 12_000; i++) {
            counts[EventKey.partition(SipMessageView.callIdHash("call-" + i + "@example.com"), 12)]++;
        }
        assertThat(IntStream.of(counts)).allMatch(count -> count > 850 && count < 1150);
    }

    @Test
    void thereIsNoPartitionOfNone() {
        assertThatThrownBy(() -> EventKey.partition(1, 0)).hasMessageContaining("partitions 0");
    }

    private static SipMessage sip(long callIdHash, Endpoint source, Endpoint destination) {
        Octets message = Octets.of("OPTIONS".getBytes(StandardCharsets.UTF_8));
        return new SipMessage(
                message, callIdHash, source, destination, null, -1, 1, Octets.EMPTY, false, 0, Octets.EMPTY);
    }

    @Test
    void whatConcernsACallHasItsKey() {
        long hash = SipMessageView.callIdHash("a@b");
        assertThat(EventKey.of(sip(hash, ALICE, BOB))).isEqualTo(hash);
        Measured.Figures none = new Measured.Figures(-1, -1, 0, 0, 0, 0, 0);
        assertThat(EventKey.of(new Measured("a@b", ALICE, BOB, -1, none, 1, Octets.EMPTY)))
                .isEqualTo(hash);
        IcmpError.Message unreachable = new IcmpError.Message(4, 3, 3);
        assertThat(EventKey.of(new IcmpError(1, ALICE, ALICE, BOB, hash, unreachable, 0, Octets.EMPTY)))
                .isEqualTo(hash);
    }

    @Test
    void withoutACallIdItIsThatOfTheEndpointsInEitherDirection() {
        long key = EventKey.of(ALICE, BOB);
        assertThat(key).isNotZero().isEqualTo(EventKey.of(BOB, ALICE));
        assertThat(EventKey.of(sip(0, ALICE, BOB))).isEqualTo(key);
        assertThat(EventKey.of(sip(0, BOB, ALICE))).isEqualTo(key);
        assertThat(EventKey.of(ALICE, BOB.withPort(5061))).isNotEqualTo(key);
        assertThat(EventKey.of(ALICE, ALICE)).isNotZero();
    }

    @Test
    void theProbeItselfHasNone() {
        assertThat(EventKey.of(new Fault("failedPackets", "here", 1, Octets.EMPTY)))
                .isZero();
    }
}
