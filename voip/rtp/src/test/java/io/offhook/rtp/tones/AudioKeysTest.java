package io.offhook.rtp.tones;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import io.offhook.rtp.RtpView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AudioKeysTest {
    private static final int PTIME = 160;
    private static final int FIRST_TIMESTAMP = -800; // wraps

    private final RtpView view = new RtpView();

    /** A packet: its place in the audio in packets, its number, and its timestamp. */
    private record Packet(int place, int number, int timestamp) {}

    private static List<Packet> packets(byte[] octets) {
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; (i + 1) * PTIME <= octets.length; i++) {
            packets.add(new Packet(i, 65_530 + i & 0xffff, FIRST_TIMESTAMP + i * PTIME));
        }
        return packets;
    }

    private AudioKeys hear(byte[] octets, List<Packet> packets) {
        AudioKeys keys = new AudioKeys();
        for (Packet packet : packets) {
            MemorySegment bytes = Arena.ofAuto().allocate(12 + PTIME);
            bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) 0x80);
            bytes.set(ValueLayout.JAVA_BYTE, 2, (byte) (packet.number >> 8));
            bytes.set(ValueLayout.JAVA_BYTE, 3, (byte) packet.number);
            for (int i = 0; i < 4; i++) {
                bytes.set(ValueLayout.JAVA_BYTE, 4 + i, (byte) (packet.timestamp >> 24 - 8 * i));
            }
            MemorySegment.copy(octets, packet.place * PTIME, bytes, ValueLayout.JAVA_BYTE, 12, PTIME);
            assertThat(view.wrap(bytes, 0, 12 + PTIME)).isEqualTo(WrapStatus.OK);
            keys.packet(view, G711.PCMU, 1_000_000_000L + packet.place * 20_000_000L);
        }
        keys.end();
        return keys;
    }

    private static byte[] audio(Sound sound) {
        return sound.octets(G711.PCMU);
    }

    @Test
    void aKeyHasTheArrivalOfItsFirstPacket() {
        byte[] octets = audio(new Sound().pause(105).key('A', 100).pause(100));
        AudioKeys keys = hear(octets, packets(octets));
        assertThat(keys.digits()).isEqualTo("A");
        assertThat(keys.keys().getFirst().atNs()).isEqualTo(1_100_000_000L); // 100 to 120 ms
    }

    @Test
    void duplicatesAreIgnored() {
        byte[] octets =
                audio(new Sound().pause(60).key('7', 45).pause(45).key('7', 45).pause(60));
        List<Packet> twice = new ArrayList<>();
        packets(octets).forEach(packet -> twice.addAll(List.of(packet, packet)));
        assertThat(hear(octets, twice).digits()).isEqualTo("77");
    }

    @Test
    void oneLostPacketWithinAKeyDoesNotMakeItTwo() {
        byte[] octets = audio(new Sound().pause(60).key('7', 160).pause(60));
        List<Packet> packets = packets(octets);
        packets.remove(6);
        assertThat(hear(octets, packets).digits()).isEqualTo("7");
    }

    @Test
    void aLatePacketIsAsGoodAsLost() {
        byte[] octets = audio(new Sound().pause(60).key('7', 160).pause(60));
        List<Packet> packets = packets(octets);
        Collections.swap(packets, 6, 7);
        assertThat(hear(octets, packets).digits()).isEqualTo("7");
    }

    @Test
    void threeLostPacketsMayHideAPause() {
        byte[] octets = audio(
                new Sound().pause(60).key('7', 100).pause(60).key('7', 100).pause(60));
        List<Packet> packets = packets(octets);
        packets.subList(8, 11).clear();
        assertThat(hear(octets, packets).digits()).isEqualTo("77");
    }

    @Test
    void aSenderThatPausesIsSilent() {
        byte[] octets = audio(new Sound().key('7', 100).key('7', 100).pause(60));
        List<Packet> packets = packets(octets);
        packets.replaceAll(packet ->
                packet.place < 5 ? packet : new Packet(packet.place, packet.number, packet.timestamp + 40 * PTIME));
        assertThat(hear(octets, packets).digits()).isEqualTo("77");
    }

    @Test
    void aSenderThatBeginsAgainEndsTheKey() {
        byte[] octets = audio(new Sound().key('7', 100).key('7', 100).pause(60));
        List<Packet> packets = packets(octets);
        packets.replaceAll(packet -> packet.place < 5
                ? packet
                : new Packet(packet.place, packet.number + 20_000 & 0xffff, packet.timestamp - 1_000_000));
        assertThat(hear(octets, packets).digits()).isEqualTo("77");
    }

    @Test
    void whatIsBeyondTheLimitIsCounted() {
        Sound sound = new Sound();
        char[] sent = new char[AudioKeys.LIMIT + 3];
        Arrays.fill(sent, '0');
        for (char key : sent) {
            sound.key(key, 50).pause(50);
        }
        byte[] octets = audio(sound);
        AudioKeys keys = hear(octets, packets(octets));
        assertThat(keys.keys()).hasSize(AudioKeys.LIMIT);
        assertThat(keys.dropped()).isEqualTo(3);
    }
}
