package io.offhook.testkit.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class PacketsTest {
    private static final Endpoint A = Addresses.endpoint("192.0.2.1", 5060);
    private static final Endpoint B = Addresses.endpoint("192.0.2.2", 5062);
    private static final Endpoint A6 = Addresses.endpoint("2001:db8::1", 5060);
    private static final Endpoint B6 = Addresses.endpoint("2001:db8::2", 5062);

    @Test
    void writesTheBytesOfAnIpv4HeaderKnownFromElsewhere() {
        // the worked example of the Internet checksum that is found in textbooks: sum b861
        byte[] packet = Ip.between(Addresses.endpoint("192.168.0.1", 0), Addresses.endpoint("192.168.0.199", 0))
                .packet(Ip.UDP, new byte[95]);
        assertThat(HexFormat.of().formatHex(packet, 0, 20)).isEqualTo("450000730000400040" + "11b861c0a80001c0a800c7");
    }

    @Test
    void sendsAUdpChecksumOfZeroAsAllOnes() {
        for (int i = 0; i <= 0xffff; i++) {
            byte[] datagram = Transports.udp(A, B, new byte[] {(byte) (i >>> 8), (byte) i});
            assertThat(datagram[6] != 0 || datagram[7] != 0).isTrue();
        }
    }

    @Test
    void padsIpv4OptionsAndIpv6Extensions() {
        byte[] withOption = Ip.between(A, B)
                .options((byte) 0x94, (byte) 4, (byte) 0, (byte) 0, (byte) 1)
                .packet(Ip.UDP, new byte[8]);
        assertThat(withOption[0] & 15).isEqualTo(7);
        assertThat(CapturedPackets.onesSum(withOption, 0, 28, 0)).isEqualTo(0xffff);

        byte[] extended = Ip.between(A6, B6)
                .extension(Ip.IPV6_HOP_BY_HOP, (byte) 5, (byte) 2, (byte) 0, (byte) 0)
                .extension(Ip.IPV6_DESTINATION_OPTIONS, new byte[7])
                .packet(Ip.UDP, new byte[8]);
        assertThat(extended).hasSize(40 + 8 + 16 + 8);
        assertThat(extended[6]).isEqualTo((byte) 0);
        assertThat(extended[40]).isEqualTo((byte) 60);
        assertThat(extended[41]).isEqualTo((byte) 0);
        assertThat(extended[48]).isEqualTo((byte) 17);
        assertThat(extended[49]).isEqualTo((byte) 1);
    }

    @Test
    void refusesOptionsThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ip.between(A, B).options(new byte[41]))
                .withMessageContaining("41")
                .withMessageContaining("40");
    }

    @Test
    void putsFragmentsBackTogetherWhateverTheirOrder() {
        Random random = new Random(3);
        byte[] payload = new byte[3001];
        random.nextBytes(payload);
        for (IpFragments.Style style : IpFragments.Style.values()) {
            for (Endpoint[] ends : new Endpoint[][] {{A, B}, {A6, B6}}) {
                boolean version4 = ends[0].isIpv4();
                byte[] packet = Ip.between(ends[0], ends[1])
                        .extension(Ip.IPV6_HOP_BY_HOP, new byte[6])
                        .packet(Ip.UDP, payload);
                List<byte[]> fragments = IpFragments.split(packet, 576, 99, style, random);
                byte[] rebuilt = new byte[payload.length];
                int last = 0;
                for (byte[] fragment : fragments) {
                    assertThat(fragment.length).isLessThanOrEqualTo(576);
                    int header = version4 ? 20 : 56;
                    int field = version4 ? u16(fragment, 6) & 0x1fff : u16(fragment, 50) >>> 3;
                    boolean more = version4 ? (u16(fragment, 6) & 0x2000) != 0 : (u16(fragment, 50) & 1) != 0;
                    int length = fragment.length - header;
                    assertThat(version4 ? u16(fragment, 2) : u16(fragment, 4) + 40)
                            .isEqualTo(fragment.length);
                    assertThat(!more || length % 8 == 0).isTrue();
                    System.arraycopy(fragment, header, rebuilt, field * 8, length);
                    last += more ? 0 : 1;
                    if (version4) {
                        assertThat(CapturedPackets.onesSum(fragment, 0, 20, 0)).isEqualTo(0xffff);
                    } else {
                        assertThat(fragment[40])
                                .as("hop-by-hop announces the fragment header")
                                .isEqualTo((byte) 44);
                        assertThat(fragment[48]).isEqualTo((byte) 17);
                    }
                }
                boolean complete = style != IpFragments.Style.LAST_MISSING;
                assertThat(last).isEqualTo(complete ? style == IpFragments.Style.DUPLICATED ? 2 : 1 : 0);
                assertThat(Arrays.equals(rebuilt, payload)).as(style.toString()).isEqualTo(complete);
            }
        }
    }

    @Test
    void checksSctpWithCrc32cLeastSignificantByteFirst() {
        byte[] packet = Transports.sctp(A, B, 7, 1, 0, 0, new byte[] {1, 2, 3});
        assertThat(packet.length % 4).isZero();
        byte[] zeroed = packet.clone();
        Arrays.fill(zeroed, 8, 12, (byte) 0);
        CRC32C crc = new CRC32C();
        crc.update(zeroed);
        long value = crc.getValue();
        for (int i = 0; i < 4; i++) {
            assertThat(packet[8 + i]).isEqualTo((byte) (value >>> 8 * i));
        }
    }

    @Test
    void quotesThePacketThatWasRefused() {
        for (Endpoint[] ends : new Endpoint[][] {{A, B}, {A6, B6}}) {
            byte[] refused =
                    Ip.between(ends[0], ends[1]).packet(Ip.UDP, Transports.udp(ends[0], ends[1], new byte[30]));
            byte[] error = Transports.portUnreachable(ends[1], ends[0], refused, 1000);
            int header = ends[0].isIpv4() ? 28 : 48;
            assertThat(Arrays.copyOfRange(error, header, error.length)).isEqualTo(refused);
            Recorder recorder = new Recorder(1);
            recorder.add(0, 1, Link.ethernet().frame(error, false));
            assertThat(CapturedPackets.of(recorder.frames())).hasSize(1);
        }
    }

    @Test
    void keepsTheBytesOfATcpStreamInTheirPlaces() {
        Random random = new Random(11);
        for (Segmentation.Fate fate : Segmentation.Fate.values()) {
            Recorder recorder = new Recorder(1000);
            long start = 0xffff_ffffL - 700; // wraps
            SentConnection connection = new SentConnection(new Tap(recorder, random), A, B, true).startingAt(start, 5);
            long now = connection.open(0);
            byte[] sent = new byte[5000];
            random.nextBytes(sent);
            List<Long> ready = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                byte[] part = Arrays.copyOfRange(sent, i * 500, i * 500 + 500);
                Segmentation.Fate own = i == 4 ? fate : Segmentation.Fate.IN_ORDER;
                ready.add(connection.send(
                        now += 50_000_000,
                        true,
                        part,
                        Segmentation.random(random, 500, 3).with(own)));
            }
            byte[] rebuilt = new byte[5000];
            List<Long> arrivals = new ArrayList<>();
            int[] firstAt = new int[5000];
            Arrays.fill(firstAt, Integer.MAX_VALUE);
            int number = 0;
            for (CapturedPackets.Packet packet : CapturedPackets.of(recorder.frames())) {
                arrivals.add(packet.timestampNs());
                if (packet.source().equals(A)) {
                    int header = (packet.message()[12] >>> 4 & 15) * 4;
                    int at = (int) ((u32(packet.message(), 4) - start - 1) & 0xffff_ffffL);
                    for (int i = header; i < packet.message().length; i++) {
                        rebuilt[at + i - header] = packet.message()[i];
                        firstAt[at + i - header] = Math.min(firstAt[at + i - header], number);
                    }
                }
                number++;
            }
            assertThat(Arrays.equals(rebuilt, sent)).as(fate.toString()).isEqualTo(fate != Segmentation.Fate.HOLE);
            if (fate == Segmentation.Fate.HOLE) {
                assertThat(ready.get(4)).isEqualTo(-1);
                continue;
            }
            for (int i = 0; i < 10; i++) {
                int completing = Arrays.stream(firstAt, 0, i * 500 + 500).max().orElseThrow();
                assertThat(ready.get(i)).as(fate + " part " + i).isEqualTo(arrivals.get(completing));
            }
        }
    }

    @Test
    void masksWhatTheWebSocketClientSaysAndAnswersItsKey() {
        assertThat(WebSocket.accept("dGhlIHNhbXBsZSBub25jZQ==")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="); // RFC 6455
        Recorder recorder = new Recorder(1);
        WebSocket socket = new WebSocket(
                new SentConnection(new Tap(recorder, new Random(1)), A, B, true).startingAt(1, 1), new Random(2));
        for (int length : new int[] {5, 125, 126, 65_535, 65_536}) {
            byte[] text = new byte[length];
            Arrays.fill(text, (byte) 'x');
            byte[] frame = socket.frame(true, true, 1, text);
            int header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
            assertThat(frame).hasSize(header + 4 + length);
            for (int i = 0; i < length; i++) {
                assertThat((byte) (frame[header + 4 + i] ^ frame[header + (i & 3)]))
                        .isEqualTo((byte) 'x');
            }
            assertThat(socket.frame(false, true, 1, text)).hasSize(header + length);
        }
    }

    @Test
    void encodesG711AsTheStandardDoes() {
        assertThat(Tones.aLaw(0)).isEqualTo((byte) 0xd5);
        assertThat(Tones.muLaw(0)).isEqualTo((byte) 0xff);
        assertThat(Tones.aLaw(32_767)).isEqualTo((byte) 0xaa);
        assertThat(Tones.aLaw(-32_768)).isEqualTo((byte) 0x2a);
        assertThat(Tones.muLaw(32_767)).isEqualTo((byte) 0x80);
        assertThat(Tones.muLaw(-32_768)).isEqualTo((byte) 0x00);
        assertThat(Tones.aLaw(1000)).isEqualTo((byte) 0xfa);
        assertThat(Tones.muLaw(1000)).isEqualTo((byte) 0xce);
    }

    @Test
    void sortsFramesByTimeAndKeepsTheOrderOfEqualOnes() {
        Recorder recorder = new Recorder(1000);
        recorder.add(5_999, 1, new byte[] {1});
        recorder.add(1_000, 1, new byte[] {2});
        recorder.add(5_000, 1, new byte[] {3});
        assertThat(recorder.frames()).isSortedAccordingTo(Comparator.comparingLong(Frame::timestampNs));
        assertThat(recorder.frames().stream().map(frame -> (int) frame.bytes()[0]))
                .containsExactly(2, 1, 3);
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    private static long u32(byte[] bytes, int at) {
        return (long) u16(bytes, at) << 16 | u16(bytes, at + 2);
    }
}
