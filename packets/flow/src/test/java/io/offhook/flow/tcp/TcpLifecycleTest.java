package io.offhook.flow.tcp;

import static io.offhook.flow.tcp.TcpWire.ACK;
import static io.offhook.flow.tcp.TcpWire.FIN;
import static io.offhook.flow.tcp.TcpWire.MS;
import static io.offhook.flow.tcp.TcpWire.RST;
import static io.offhook.flow.tcp.TcpWire.SYN;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How connections begin, end, begin again on the same ports, and are picked up in mid-stream. */
class TcpLifecycleTest {
    @AutoClose
    private final TcpWire wire = new TcpWire();

    @Test
    void endsADirectionAtItsFinOnly() {
        wire.handshake();
        wire.client.send(1001, ACK | FIN, 0, "abc");
        wire.server.data(0, "xyz");
        wire.server.send(5004, ACK | FIN, 0, "");
        assertThat(wire.reported()).containsExactly("c data abc", "c end FIN", "s data xyz", "s end FIN");
        assertThat(wire.count(TcpCounter.FINISHED)).isEqualTo(2);
    }

    @Test
    void endsAtAFinThatCameEarlyOnceAllIsTold() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.send(1007, ACK | FIN, 0, "");
        wire.client.data(3, "def");
        assertThat(wire.reported()).containsExactly("c data abc", "c data def", "c end FIN");
    }

    @Test
    void reportsTheHoleBeforeAFin() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.send(1007, ACK | FIN, 0, "");
        wire.nowNs += TcpLimits.DEFAULT.holdTimeNs() + 1;
        wire.server.send(5001, ACK, 1004, "");
        assertThat(wire.reported()).containsExactly("c data abc", "c gap 3", "c end FIN");
    }

    @Test
    void dropsBytesBehindAFin() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.send(1007, ACK | FIN, 0, "");
        wire.client.data(3, "defXXXX");
        assertThat(wire.text("c")).isEqualTo("abcdef!FIN");
    }

    @Test
    void asksNothingOfAProbeAfterAFin() {
        wire.handshake();
        wire.client.send(1001, ACK | FIN, 0, "abc");
        wire.client.data(3, "\0");
        wire.client.data(2, "c");
        assertThat(wire.asked).isEmpty();
        assertThat(wire.count(TcpCounter.AFTER_END)).isEqualTo(2);
    }

    @Test
    void endsBothDirectionsAtAReset() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.server.data(0, "xyz");
        wire.server.data(6, "XYZ");
        wire.client.send(1004, RST, 0, "");
        assertThat(wire.reported())
                .containsExactly("c data abc", "s data xyz", "c end RST", "s gap 3", "s data XYZ", "s end RST");
    }

    @Test
    void doesNotBelieveAResetFarFromTheStream() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.send(900_000_000, RST, 0, "");
        wire.client.data(3, "def");
        assertThat(wire.text("c")).isEqualTo("abcdef");
        assertThat(wire.count(TcpCounter.OUT_OF_WINDOW)).isEqualTo(1);
    }

    @Test
    void takesARefusedConnectionForClosed() {
        wire.client.send(1000, SYN, 0, "");
        wire.server.send(0, RST | ACK, 1001, "");
        wire.client.send(7000, SYN, 0, "");
        wire.client.send(7001, ACK, 0, "abc");
        assertThat(wire.text("c")).isEqualTo("abc");
    }

    @Test
    void beginsAnotherConnectionOnClosedPorts() {
        wire.handshake();
        wire.client.send(1001, ACK | FIN, 0, "abc");
        wire.server.send(5001, ACK | FIN, 0, "xyz");
        TcpStream before = wire.lastStream();
        wire.client.send(800_000, SYN, 0, "");
        wire.server.send(900_000, SYN | ACK, 800_001, "");
        wire.client.send(800_001, ACK, 0, "def");
        wire.server.send(900_001, ACK, 0, "uvw");
        assertThat(wire.text("c")).isEqualTo("abc!FINdef");
        assertThat(wire.text("s")).isEqualTo("xyz!FINuvw");
        assertThat(wire.lastStream()).isNotSameAs(before);
        assertThat(wire.count(TcpCounter.REUSED)).isZero();
    }

    @Test
    void beginsAnotherConnectionOnPortsThatAreQuiet() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.server.data(0, "xyz");
        wire.nowNs += 2000 * MS;
        wire.client.send(800_000, SYN, 0, "");
        wire.client.send(800_001, ACK, 0, "def");
        assertThat(wire.reported())
                .containsExactly("c data abc", "s data xyz", "c end REUSED", "s end REUSED", "c data def");
    }

    @Test
    void dropsASynForgedIntoALiveConnection() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.send(800_000, SYN, 0, "");
        wire.server.send(700_000, SYN | ACK, 1, "");
        wire.client.data(3, "def");
        assertThat(wire.text("c")).isEqualTo("abcdef");
        assertThat(wire.count(TcpCounter.STRAY_SYN)).isEqualTo(2);
    }

    @Test
    void ignoresASynThatIsSentAgain() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.send(1000, SYN, 0, "");
        wire.client.data(3, "def");
        assertThat(wire.text("c")).isEqualTo("abcdef");
        assertThat(wire.count(TcpCounter.STRAY_SYN)).isZero();
    }

    @Test
    void learnsTheFirstByteOfTheClientFromTheAnswer() {
        wire.server.send(5000, SYN | ACK, 1001, "");
        wire.client.data(3, "def");
        wire.client.data(0, "abc");
        assertThat(wire.asked).isEmpty();
        assertThat(wire.text("c")).isEqualTo("abcdef");
    }

    @Test
    void acceptsAnAnswerThatWasCapturedBeforeItsSyn() {
        wire.server.send(5000, SYN | ACK, 1001, "");
        wire.client.send(1000, SYN, 0, "");
        wire.client.data(0, "abc");
        wire.server.data(0, "xyz");
        assertThat(wire.reported()).containsExactly("c data abc", "s data xyz");
    }

    @Test
    void followsAnotherAttemptAfterASynWithoutAnswer() {
        wire.client.send(1000, SYN, 0, "");
        wire.client.send(900_000_000, SYN, 0, "");
        wire.server.send(5000, SYN | ACK, 900_000_001, "");
        wire.client.send(900_000_001, ACK, 0, "abc");
        wire.server.data(0, "xyz");
        assertThat(wire.reported()).containsExactly("c data abc", "s data xyz");
    }

    @Test
    void keepsNothingOfPayloadsThatAreNotWanted() {
        wire.client.data(0, "\u0016\u0003\u0001");
        wire.client.data(3, "\u0017\u0003\u0003");
        assertThat(wire.asked).hasSize(2);
        assertThat(wire.streams.size()).isZero();
        assertThat(wire.count(TcpCounter.NOT_PICKED_UP)).isEqualTo(2);
    }

    @Test
    void asksNothingOfSegmentsWithoutPayload() {
        wire.client.data(0, "");
        wire.client.send(1001, FIN | ACK, 0, "");
        wire.client.send(1002, RST, 0, "");
        assertThat(wire.asked).isEmpty();
        assertThat(wire.streams.size()).isZero();
    }

    @Test
    void picksUpInMidStream() {
        wire.pickup = text -> text.startsWith("INVITE") ? Pickup.NOW : Pickup.IGNORE;
        wire.client.data(100, "tail");
        wire.client.data(104, "INVITE");
        wire.client.data(110, " sip:");
        assertThat(wire.asked).containsExactly("tail", "INVITE");
        assertThat(wire.reported()).containsExactly("c data INVITE", "c data  sip:");
    }

    @Test
    void asksForEachDirectionOfAConnectionPickedUp() {
        wire.pickup = text -> text.startsWith("INVITE") || text.startsWith("SIP") ? Pickup.NOW : Pickup.IGNORE;
        wire.client.data(100, "INVITE");
        wire.server.data(50, "rest");
        wire.server.data(54, "SIP/2.0");
        assertThat(wire.reported()).containsExactly("c data INVITE", "s data SIP/2.0");
        assertThat(wire.lastStream().reverse()).isNotNull();
    }

    @Test
    void dropsAndCountsWhatComesFromBeforeThePickUp() {
        wire.pickup = text -> Pickup.NOW;
        wire.client.data(100, "INVITE");
        wire.client.data(96, "tail");
        assertThat(wire.text("c")).isEqualTo("INVITE");
        assertThat(wire.count(TcpCounter.LATE)).isEqualTo(1);
    }

    @Test
    void waitsForTheBeginningOfWhatMayBeAMiddle() {
        wire.pickup = text -> text.startsWith("INVITE") ? Pickup.NOW : Pickup.WAIT;
        wire.client.data(106, " sip:b");
        wire.client.data(112, " SIP/2.0");
        assertThat(wire.reported).isEmpty();
        wire.client.data(100, "INVITE");
        assertThat(wire.reported()).containsExactly("c data INVITE", "c data  sip:b", "c data  SIP/2.0");
        assertThat(wire.count(TcpCounter.GAPS)).isZero();
    }

    @Test
    void beginsAtTheLowestByteWhenTheBeginningDoesNotCome() {
        wire.pickup = text -> Pickup.WAIT;
        wire.client.data(103, "def");
        wire.client.data(106, "ghi");
        wire.client.data(100, "abc");
        assertThat(wire.reported).isEmpty();
        wire.client.data(109, "jkl");
        assertThat(wire.text("c")).isEqualTo("abcdefghijkl");
        wire.client.data(100, "abc");
        assertThat(wire.count(TcpCounter.RETRANSMITTED)).isEqualTo(1);
        wire.client.data(97, "xyz");
        assertThat(wire.count(TcpCounter.LATE)).isEqualTo(1);
    }

    @Test
    void beginsAtTheLowestByteWhenTheWaitIsOver() {
        wire.pickup = text -> Pickup.WAIT;
        wire.client.data(100, "abc");
        wire.nowNs += TcpLimits.DEFAULT.holdTimeNs() + 1;
        wire.client.data(103, "def");
        assertThat(wire.reported()).containsExactly("c data abc", "c data def");
        assertThat(wire.asked).containsExactly("abc");
    }

    @Test
    void beginsAtASynThatWasCapturedBehindItsData() {
        wire.pickup = text -> Pickup.WAIT;
        wire.client.data(3, "def");
        wire.client.send(1000, SYN, 0, "");
        assertThat(wire.reported).isEmpty();
        wire.client.data(0, "abc");
        assertThat(wire.text("c")).isEqualTo("abcdef");
        assertThat(wire.count(TcpCounter.STRAY_SYN)).isZero();
    }

    @Test
    void picksUpAStreamThatIsFarFromWhereItWas() {
        wire.pickup = text -> text.startsWith("INVITE") ? Pickup.NOW : Pickup.WAIT;
        wire.handshake();
        wire.client.data(0, "abc");
        wire.client.data(1_000_000_000, "rubbish");
        wire.client.data(1_000_000_007, "INVITE");
        wire.client.data(1_000_000_013, " sip");
        assertThat(wire.text("c")).isEqualTo("abc!REUSEDINVITE sip");
        assertThat(wire.count(TcpCounter.OUT_OF_WINDOW)).isEqualTo(1);
    }

    @Test
    void picksUpANewConnectionOnClosedPortsWithoutItsSyn() {
        wire.pickup = text -> Pickup.NOW;
        wire.handshake();
        wire.client.send(1001, ACK | FIN, 0, "abc");
        wire.client.data(900_000_000, "INVITE");
        assertThat(wire.text("c")).isEqualTo("abc!FININVITE");
    }

    @Test
    void reportsNothingMoreOfAnIgnoredStream() {
        wire.ignores = stream -> stream.source().equals(TcpWire.CLIENT);
        wire.handshake();
        wire.client.data(3, "def");
        wire.client.data(0, "GET");
        wire.client.data(6, "ghi");
        wire.server.data(0, "xyz");
        assertThat(wire.lastStream().reverse()).isNull();
        wire.client.send(1010, RST, 0, "");
        wire.streams.flush();
        assertThat(wire.reported()).containsExactly("c data GET", "s data xyz", "s end RST");
        assertThat(wire.count(TcpCounter.IGNORED)).isEqualTo(1);
    }

    @Test
    void ignoresAStreamFromOutsideOfACall() {
        wire.handshake();
        wire.client.data(0, "abc");
        wire.lastStream().ignore();
        wire.client.data(3, "def");
        wire.streams.flush();
        assertThat(wire.reported()).containsExactly("c data abc");
    }

    @Test
    void forgetsThatItIgnoresWhenThePortsBeginAnotherConnection() {
        wire.ignores = stream -> true;
        wire.handshake();
        wire.client.data(0, "GET");
        wire.client.send(1004, FIN | ACK, 0, "");
        wire.ignores = stream -> false;
        wire.client.send(800_000, SYN, 0, "");
        wire.client.send(800_001, ACK, 0, "INVITE");
        assertThat(wire.reported()).containsExactly("c data GET", "c data INVITE");
    }

    @Test
    void showsTheOtherDirectionAndWhatIsAttached() {
        wire.handshake();
        wire.client.data(0, "abc");
        TcpStream client = wire.lastStream();
        client.attachment("parser");
        assertThat(client.reverse()).isNull();
        wire.server.data(0, "xyz");
        TcpStream server = wire.lastStream();
        assertThat(client.reverse()).isSameAs(server);
        assertThat(server.reverse()).isSameAs(client);
        assertThat(server.source()).isEqualTo(TcpWire.SERVER).isSameAs(server.source());
        assertThat(server.destination()).isEqualTo(TcpWire.CLIENT);
        assertThat(server).hasToString("10.0.0.2:5060 > 10.0.0.1:40000");
        wire.client.send(1004, FIN | ACK, 0, "");
        assertThat(server.reverse()).isNull();
        assertThat(client.reverse()).isNull();
        assertThat(client.attachment()).isEqualTo("parser");
        assertThat(client.bytes()).isEqualTo(3);
    }

    @Test
    void flushesWhatIsHeldWithItsHolesOldestFirst() {
        wire.handshake();
        wire.client.data(3, "def");
        wire.client.data(9, "jkl");
        TcpWire.Sender other = wire.sender(40_001);
        other.send(1000, SYN, 0, "");
        other.send(1001, ACK, 0, "other");
        wire.streams.flush();
        assertThat(wire.reported())
                .containsExactly(
                        "c40001 data other",
                        "c gap 3",
                        "c data def",
                        "c gap 3",
                        "c data jkl",
                        "c end CAPTURE_END",
                        "c40001 end CAPTURE_END");
        assertThat(wire.streams.size()).isZero();
        wire.streams.flush();
        assertThat(wire.reported()).hasSize(7);
    }

    @Test
    void flushesAStreamThatStillWaitsForItsBeginning() {
        wire.pickup = text -> Pickup.WAIT;
        wire.client.data(100, "abc");
        wire.client.data(106, "ghi");
        wire.streams.flush();
        assertThat(wire.text("c")).isEqualTo("abc[3]ghi!CAPTURE_END");
    }
}
