package io.offhook.rtp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class TelephoneEventsTest {
    private static final OneRow ROW = new OneRow();

    private static final long MS = 1_000_000;
    private static final int EVENT_TYPE = 101;

    private final RtpStream stream = new RtpStream();
    private int number;
    private long timeNs = 1_700_000_000_000_000_000L;

    private void report() {
        stream.codec(EVENT_TYPE, new Codec("telephone-event", 8000));
    }

    private void packet(int event, long timestamp, int duration, boolean end, boolean marker) {
        long head = (long) event << 56 | (end ? 1L << 55 : 0) | 10L << 48 | (long) duration << 32;
        timeNs += 20 * MS;
        ROW.packet(stream, timeNs, number++ & 0xffff, timestamp, EVENT_TYPE, marker, 4, head, number);
    }

    private void voice(int packets) {
        for (int i = 0; i < packets; i++) {
            timeNs += 20 * MS;
            ROW.packet(stream, timeNs, number++ & 0xffff, number * 160L, 0, false, 160, 0, number);
        }
    }

    /** A press as senders send it: marker, growing duration, the end three times. */
    private void press(int event, long timestamp) {
        packet(event, timestamp, 160, false, true);
        packet(event, timestamp, 320, false, false);
        packet(event, timestamp, 480, false, false);
        for (int i = 0; i < 3; i++) {
            packet(event, timestamp, 640, true, false);
        }
    }

    private TelephoneEvents events() {
        return Objects.requireNonNull(stream.telephoneEvents());
    }

    @Test
    void readsEveryKey() {
        report();
        for (int event = 0; event <= 17; event++) {
            press(event, 10_000L * event);
            voice(3);
        }
        assertThat(stream.digits()).isEqualTo("0123456789*#ABCD!");
        assertThat(events().events()).hasSize(18);
        assertThat(events().packets()).isEqualTo(18 * 6);
        TelephoneEvent pound = events().events().get(11);
        assertThat(pound.key()).isEqualTo('#');
        assertThat(pound.durationTicks()).isEqualTo(640);
        assertThat(pound.durationMs()).isEqualTo(80);
        assertThat(pound.volume()).isEqualTo(10);
        assertThat(pound.ended()).isTrue();
        assertThat(pound.packets()).isEqualTo(6);
        assertThat(pound.timestamp()).isEqualTo(110_000);
        assertThat(events().events().get(17).key()).isEqualTo((char) 0);
    }

    @Test
    void readsTheSameKeyTwice() {
        report();
        press(5, 1000);
        press(5, 3000);
        assertThat(stream.digits()).isEqualTo("55");
    }

    @Test
    void closesAnEventWhoseEndIsLost() {
        report();
        packet(1, 1000, 160, false, true);
        packet(1, 1000, 320, false, false);
        packet(2, 5000, 160, false, true);
        packet(2, 5000, 320, true, false);
        packet(2, 9000, 160, false, true);
        assertThat(stream.digits()).isEqualTo("122");
        assertThat(events().events().getFirst().ended()).isFalse();
    }

    @Test
    void startsANewEventWithoutItsMarkedPacket() {
        report();
        press(7, 1000);
        packet(7, 9000, 320, false, false);
        packet(7, 9000, 640, true, false);
        assertThat(stream.digits()).isEqualTo("77");
    }

    @Test
    void countsOnceWhatOnlyItsEndsTell() {
        report();
        packet(3, 1000, 800, true, false);
        packet(3, 1000, 800, true, false);
        assertThat(stream.digits()).isEqualTo("3");
    }

    @Test
    void doesNotRepeatAKeyForALateEnd() {
        report();
        press(1, 1000);
        packet(2, 3000, 160, false, true);
        packet(1, 1000, 640, true, false);
        packet(2, 3000, 320, true, false);
        assertThat(stream.digits()).isEqualTo("12");
    }

    @Test
    void joinsTheSegmentsOfALongEvent() {
        report();
        packet(9, 1000, 0x7000, false, true);
        packet(9, 1000, 0xffff, false, false);
        packet(9, 1000 + 0xffff, 160, false, false);
        packet(9, 1000 + 0xffff, 800, true, false);
        assertThat(stream.digits()).isEqualTo("9");
        assertThat(events().events().getFirst().durationTicks()).isEqualTo(0xffff + 800);
    }

    @Test
    void joinsAnEventWhoseTimestampMoves() {
        report();
        for (int i = 1; i <= 5; i++) {
            packet(4, 1000 + 160L * i, 160 * i, i == 5, i == 1);
        }
        packet(4, 1000 + 160 * 5, 800, true, false);
        assertThat(stream.digits()).isEqualTo("4");
    }

    /** Each packet of the event has a timestamp of its own, the three that end it too. */
    @Test
    void joinsEndsWhoseTimestampMoves() {
        for (int key = 1; key <= 2; key++) {
            for (int i = 0; i < 4; i++) {
                packet(3, key * 10_000L + i * 160L, 160 * (i + 1), false, i == 0);
            }
            for (int i = 0; i < 3; i++) {
                packet(3, key * 10_000L + (4 + i) * 160L, 640, true, false);
            }
        }
        report();
        assertThat(stream.digits()).isEqualTo("33");
        assertThat(events().events()).extracting(TelephoneEvent::ended).containsExactly(true, true);
    }

    @Test
    void findsKeysInPacketsFromBeforeTheirCodecWasTold() {
        voice(5);
        press(6, 1000);
        voice(5);
        assertThat(stream.digits()).isEmpty();
        report();
        press(8, 9000);
        assertThat(stream.digits()).isEqualTo("68");
        assertThat(stream.untimedPackets()).isZero();
    }

    @Test
    void keepsEventsOutOfJitter() {
        report();
        voice(50);
        press(1, number * 160L);
        voice(50);
        assertThat(stream.maxJitterMs()).isLessThan(1e-6);
        assertThat(stream.lost()).isZero();
    }

    @Test
    void keepsTheFirstEventsOnly() {
        report();
        for (int i = 0; i < TelephoneEvents.LIMIT + 10; i++) {
            packet(1, 10_000L * i, 160, true, true);
        }
        assertThat(events().events()).hasSize(TelephoneEvents.LIMIT);
        assertThat(events().dropped()).isEqualTo(10);
    }

    @Test
    void countsPayloadsTooShortForAnEvent() {
        report();
        ROW.packet(stream, timeNs, 1, 1, EVENT_TYPE, false, 3, 0x0101_0100_0000_0000L, 1);
        assertThat(stream.digits()).isEmpty();
        assertThat(events().malformed()).isEqualTo(1);
    }
}
