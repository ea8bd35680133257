package io.offhook.proxy.tap;

import static io.offhook.proxy.tap.TappedLane.ALICE;
import static io.offhook.proxy.tap.TappedLane.BOB;
import static io.offhook.proxy.tap.TappedLane.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.sip.SipMethod;
import io.offhook.sip.transaction.MessageFault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MessageTapTest implements MessageWatcher {
    private static final Instant NOW = Instant.parse("2027-01-15T08:00:00Z");

    /** What is kept of a message that was seen. */
    private record Seen(boolean isSent, SipMethod method, int status, boolean isAgain, String callId, long key) {}

    private final List<Seen> seen = new ArrayList<>();
    private final TappedLane lane = new TappedLane(this, InstantSource.fixed(NOW));
    private boolean isOff;
    private long epochNs;
    private String ends = "";

    @Override
    public boolean isOn() {
        return !isOff;
    }

    @Override
    public void seen(SeenMessage message) {
        seen.add(new Seen(
                message.isSent(),
                message.method(),
                message.status(),
                message.isAgain(),
                new String(
                        message.octets(),
                        Math.max(message.callIdOffset(), 0),
                        message.callIdLength(),
                        StandardCharsets.UTF_8),
                message.callKey()));
        epochNs = message.epochNs();
        ends = message.local() + " " + message.remote();
    }

    @Test
    void showsWhatComesAndGoesWithBothEnds() {
        lane.received(message("INVITE sip:bob@example.com SIP/2.0", "one@host", "INVITE"), ALICE);
        assertThat(ends).isEqualTo("192.0.2.9:5060 UDP 192.0.2.1:5060");
        lane.sent(message("INVITE sip:bob@example.com SIP/2.0", "one@host", "INVITE"), BOB);
        assertThat(ends).isEqualTo("192.0.2.9:5060 TCP [2001:db8::2]:5080");
        lane.received(message("SIP/2.0 180 Ringing", "one@host", "INVITE"), BOB, true);
        long key = lane.keys().of("one@host");
        assertThat(seen)
                .containsExactly(
                        new Seen(false, SipMethod.INVITE, 0, false, "one@host", key),
                        new Seen(true, SipMethod.INVITE, 0, false, "one@host", key),
                        new Seen(false, SipMethod.INVITE, 180, true, "one@host", key));
        assertThat(lane.keys().of("two@host")).isNotEqualTo(key);
    }

    @Test
    void findsTheCallIdOfWhatIsSentHoweverItIsWritten() {
        String text = "SIP/2.0 200 OK\r\nv: SIP/2.0/UDP h\r\ni:\t one@host \r\nCSeq: 1 INVITE\r\n\r\n";
        lane.sent(text.getBytes(StandardCharsets.UTF_8), ALICE);
        lane.sent("SIP/2.0 200 OK\r\nCSeq: 1 BYE\r\n\r\n".getBytes(StandardCharsets.UTF_8), ALICE);
        assertThat(seen.getFirst().callId()).isEqualTo("one@host");
        assertThat(seen.getFirst().key()).isEqualTo(lane.keys().of("one@host"));
        assertThat(seen.getLast().callId()).isEmpty();
        assertThat(seen.getLast().key()).isZero();
    }

    /** What is sent is compared with what came last; it may be of another call. */
    @Test
    void knowsTheCallOfWhatIsSentWhateverCameBefore() {
        byte[] invite = message("INVITE sip:bob@example.com SIP/2.0", "one@host", "INVITE");
        String forwarded = new String(invite, StandardCharsets.UTF_8)
                .replaceFirst("Via", "Via: SIP/2.0/UDP 192.0.2.9;branch=z9hG4bK2\r\nVia");
        lane.received(invite, ALICE);
        lane.sent(forwarded.getBytes(StandardCharsets.UTF_8), BOB);
        lane.sent(message("INVITE sip:bob@example.com SIP/2.0", "two@host", "INVITE"), BOB);
        lane.sent(message("BYE sip:bob@example.com SIP/2.0", "one@host.example", "BYE"), BOB);
        lane.received(message("SIP/2.0 200 OK", "three@host", "BYE"), BOB);
        lane.sent(forwarded.getBytes(StandardCharsets.UTF_8), BOB);
        assertThat(seen)
                .extracting(Seen::callId)
                .containsExactly("one@host", "one@host", "two@host", "one@host.example", "three@host", "one@host");
        assertThat(seen)
                .allSatisfy(message ->
                        assertThat(message.key()).isEqualTo(lane.keys().of(message.callId())));
    }

    @Test
    void showsNothingToThoseThatAreOff() {
        isOff = true;
        lane.received(message("INVITE sip:bob@example.com SIP/2.0", "one@host", "INVITE"), ALICE);
        lane.sent(message("INVITE sip:bob@example.com SIP/2.0", "one@host", "INVITE"), BOB);
        assertThat(seen).isEmpty();
    }

    @Test
    void showsMessagesWithFaultsButNotWhatIsNoSip() {
        lane.rejected(
                "INVITE x SIP/2.0\r\nCall-ID: z\r\n\r\n".getBytes(StandardCharsets.UTF_8),
                MessageFault.HEADER_MISSING,
                ALICE);
        lane.rejected(new byte[] {1, 2, 3}, MessageFault.NOT_SIP, ALICE);
        assertThat(seen)
                .containsExactly(new Seen(
                        false, SipMethod.OTHER, 0, false, "z", lane.keys().of("z")));
    }

    @Test
    void timesAreThoseOfDay() {
        long beforeNs = System.nanoTime();
        lane.received(message("INVITE sip:bob@example.com SIP/2.0", "one@host", "INVITE"), ALICE);
        long sinceNs = epochNs - NOW.getEpochSecond() * 1_000_000_000L;
        // from when the lane was made, by a clock that stands still but for the steady one
        assertThat(sinceNs).isBetween(0L, System.nanoTime() - beforeNs + 60_000_000_000L);
    }

    @Test
    void followsAClockThatIsSetWithinASecond() {
        AtomicReference<Instant> day = new AtomicReference<>(NOW);
        AtomicLong steady = new AtomicLong(5);
        EpochTime time = new EpochTime(day::get, steady::get);
        long startNs = NOW.getEpochSecond() * 1_000_000_000L;
        steady.set(1_005);
        assertThat(time.nowNs()).isEqualTo(startNs + 1000);
        day.set(NOW.plusSeconds(100));
        assertThat(time.nowNs()).isEqualTo(startNs + 1000);
        steady.set(1_000_000_005L);
        assertThat(time.nowNs()).isEqualTo(startNs + 100_000_000_000L);
    }
}
