package io.offhook.sip.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.application.StunView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StunKeepAliveTest {
    private static final String ID = "b7e7a701bc34d686fa87dfae";
    private static final IpAddress IPV4 = address("192.0.2.1");
    private static final IpAddress IPV6 = address("2001:db8:1234:5678:11:2233:4455:6677");

    private final StunKeepAlive stun = new StunKeepAlive();
    private final byte[] answer = new byte[StunKeepAlive.MOST_ANSWER_BYTES];

    private static IpAddress address(String text) {
        return Endpoint.of(text, 0).address();
    }

    private static byte[] request(String attributes) {
        byte[] octets = HexFormat.of().parseHex("00010000" + "2112a442" + ID + attributes.replace(" ", ""));
        octets[2] = (byte) (octets.length - 20 >> 8);
        octets[3] = (byte) (octets.length - 20);
        return octets;
    }

    private String answer(byte[] request, IpAddress source, int port) {
        int length = stun.answer(request, 0, request.length, source, port, answer);
        return HexFormat.of().formatHex(answer, 0, length);
    }

    /** The address and the id are those of RFC 5769, 2.2 and 2.3, so that the values are too. */
    @Test
    void answersWithTheAddressThatTheRequestCameFrom() {
        assertThat(answer(request(""), IPV4, 32853))
                .isEqualTo("0101000c2112a442" + ID + "00200008" + "0001a147e112a643");
        assertThat(answer(request(""), IPV6, 32853))
                .isEqualTo("010100182112a442" + ID + "00200014" + "0002a147" + "0113a9faa5d3f179bc25f4b5bed2b9d9");
    }

    @Test
    void hasAFingerprintIfTheRequestHasOne() {
        // a request's sum computed independently, by zlib
        byte[] request = request("8028 0004 00000000");
        long sum = crc(request, 20) ^ 0x5354554eL;
        for (int i = 0; i < 4; i++) {
            request[24 + i] = (byte) (sum >>> 8 * (3 - i));
        }
        String text = answer(request, IPV4, 5060);
        assertThat(text).startsWith("01010014").hasSize(2 * 40).contains("80280004");
        byte[] octets = HexFormat.of().parseHex(text);
        assertThat(text.substring(72)).isEqualTo(HexFormat.of().toHexDigits((int) (crc(octets, 32) ^ 0x5354554eL)));
        request[27] ^= 1;
        assertThat(answer(request, IPV4, 5060)).isEmpty();
    }

    /** By the definition of the sum, bit by bit. */
    private static long crc(byte[] octets, int length) {
        int crc = -1;
        for (int i = 0; i < length; i++) {
            crc ^= octets[i] & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
            }
        }
        return ~crc & 0xffff_ffffL;
    }

    @Test
    void refusesWhatItMustUnderstandButDoesNot() {
        // PRIORITY, and USE-CANDIDATE: those of ICE
        String text = answer(request("0024 0004 6e0001ff 0025 0000 8022 0004 74657374"), IPV4, 5060);
        assertThat(text)
                .isEqualTo("011100242112a442" + ID
                        + "00090015" + "00000414" + "556e6b6e6f776e20417474726962757465" + "000000"
                        + "000a0004" + "00240025");
    }

    @Test
    void ignoresWhatItNeedNotUnderstand() {
        // SOFTWARE, and the user name that nobody checks here
        assertThat(answer(request("8022 0003 61626300 0006 0003 61626300"), IPV4, 5060))
                .startsWith("0101");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0101", "0111", "0011", "0003", "0002", "4001", "0801"})
    void answersNothingElse(String type) {
        byte[] octets = request("");
        byte[] changed = HexFormat.of().parseHex(type);
        octets[0] = changed[0];
        octets[1] = changed[1];
        assertThat(answer(octets, IPV4, 5060)).isEmpty();
    }

    @Test
    void answersNothingDamaged() {
        byte[] request = request("8022 0004 74657374");
        assertThat(answer(request, IPV4, 5060)).isNotEmpty();
        for (int length = 0; length < request.length; length++) {
            assertThat(stun.answer(request, 0, length, IPV4, 5060, answer)).isZero();
        }
        assertThat(answer(request("8022 0005 74657374"), IPV4, 5060)).isEmpty();
        assertThat(answer(request("8022 ffff 74657374"), IPV4, 5060)).isEmpty();
        byte[] older = request("");
        older[4] = 0; // RFC 3489 had no cookie
        assertThat(answer(older, IPV4, 5060)).isEmpty();
        assertThat(StunKeepAlive.isStun("OPTIONS sip:a SIP/2.0\r\n".getBytes(StandardCharsets.US_ASCII), 0, 23))
                .isFalse();
    }

    @Test
    void isNeverLargerThanThreeTimesTheRequest() {
        Random random = new Random(8);
        int answered = 0;
        for (int round = 0; round < 200_000; round++) {
            byte[] request = new byte[20 + 4 * random.nextInt(12)];
            random.nextBytes(request);
            System.arraycopy(request(""), 0, request, 0, 20);
            request[3] = (byte) (request.length - 20);
            for (int at = 20; at < request.length; ) {
                // a header of an attribute, mostly one that fits
                request[at] = (byte) (random.nextInt(3) == 0 ? 0x80 : 0);
                request[at + 2] = 0;
                request[at + 3] = (byte) random.nextInt(9);
                at += 4 + (request[at + 3] + 3 & ~3);
            }
            int length = stun.answer(request, 0, request.length, round % 2 == 0 ? IPV4 : IPV6, 5060, answer);
            assertThat(length).isLessThanOrEqualTo(3 * request.length);
            if (length > 0) {
                answered++;
                readBack(length);
            }
        }
        assertThat(answered).isGreaterThan(50_000);
    }

    private void readBack(int length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_BYTE, Arrays.copyOf(answer, length));
            StunView view = new StunView();
            assertThat(view.wrap(segment, 0, length)).isEqualTo(WrapStatus.OK);
            assertThat(view.method()).isEqualTo(1);
            assertThat(view.messageClass()).isIn(2, 3);
            assertThat(view.messageLength()).isEqualTo(length - 20);
            TypeLengthValues attributes = new TypeLengthValues(TypeLengthValues.Form.STUN_ATTRIBUTES);
            view.attributes(attributes);
            assertThat(attributes.next()).isTrue();
            assertThat(attributes.type()).isEqualTo(view.messageClass() == 2 ? 0x0020 : 0x0009);
        }
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] request = request("8022 0004 74657374");
        for (int i = 0; i < 20_000; i++) {
            stun.answer(request, 0, request.length, IPV6, 5060, answer);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 20_000; i++) {
            stun.answer(request, 0, request.length, IPV6, 5060, answer);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
    }
}
