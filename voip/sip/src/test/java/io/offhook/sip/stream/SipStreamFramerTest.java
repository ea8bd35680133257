package io.offhook.sip.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SipStreamFramerTest {
    private static final String INVITE = "INVITE sip:bob@example.com SIP/2.0\r\n"
            + "Via: SIP/2.0/TCP a.example;branch=z9hG4bK1\r\nCall-ID: 1\r\nContent-Length: 7\r\n\r\nv=0\r\n\r\n";
    private static final String RINGING = "SIP/2.0 180 Ringing\r\nl: 0\r\n\r\n";
    private static final String FOLDED =
            "OPTIONS sip:a SIP/2.0\r\ncontent-LENGTH \t:\r\n 3\r\nX: y\r\n l: 9\r\n\r\nabc";

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String with(String header) {
        return "OPTIONS sip:a SIP/2.0\r\nCall-ID: 1\r\n" + header + "\r\n\r\n";
    }

    @Test
    void findsTheSameWhereverTheStreamIsSplit() {
        byte[] stream = octets("\r\n\r\n" + INVITE + "\r\n" + RINGING + FOLDED + "\r\n\r\n\r\n" + RINGING);
        List<String> expected =
                List.of("PONG", "PING", INVITE, "PONG", RINGING, FOLDED, "PONG", "PING", "PONG", RINGING);
        assertThat(StreamReading.of(stream)).isEqualTo(expected);
        for (int first = 0; first <= stream.length; first++) {
            for (int second = first; second <= stream.length; second++) {
                assertThat(StreamReading.of(stream, first, second)).isEqualTo(expected);
            }
        }
        int[] everywhere = new int[stream.length];
        Arrays.setAll(everywhere, i -> i);
        assertThat(StreamReading.of(stream, everywhere)).isEqualTo(expected);
    }

    @Test
    void findsTheSameInRandomPieces() {
        Random random = new Random(7);
        StringBuilder stream = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String body = "x".repeat(random.nextInt(3) * random.nextInt(2_000));
            String message = "MESSAGE sip:" + i + "@example.com SIP/2.0\r\nContent-Length: " + body.length() + "\r\nX: "
                    + "y".repeat(random.nextInt(200)) + "\r\n\r\n" + body;
            stream.append(message);
            expected.add(message);
        }
        byte[] octets = octets(stream.toString());
        for (int round = 0; round < 20; round++) {
            StreamReading reading = new StreamReading(SipStreamLimits.DEFAULT);
            int at = 0;
            while (at < octets.length) {
                int end = Math.min(octets.length, at + 1 + random.nextInt(1_500));
                reading.piece(octets, at, end);
                at = end;
            }
            assertThat(reading.found).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', CONTENT_LENGTH_MISSING",
        "'X: Content-Length: 0', CONTENT_LENGTH_MISSING",
        "'Content-Lengthy: 0', CONTENT_LENGTH_MISSING",
        "'Content-Length: ', CONTENT_LENGTH_MALFORMED",
        "'Content-Length: -1', CONTENT_LENGTH_MALFORMED",
        "'Content-Length: +1', CONTENT_LENGTH_MALFORMED",
        "'Content-Length: 1 2', CONTENT_LENGTH_MALFORMED",
        "'l: 0x10', CONTENT_LENGTH_MALFORMED",
        "'Content-Length: 0, 0', CONTENT_LENGTH_MALFORMED",
        "'Content-Length: 65537', BODY_TOO_LONG",
        "'Content-Length: 99999999999999999999999999', BODY_TOO_LONG",
        "'Content-Length: 4294967296', BODY_TOO_LONG"
    })
    void aFaultyContentLengthEndsTheStreamAndCanBeAnswered(String header, SipStreamFault fault) {
        String message = header.isEmpty() ? "OPTIONS sip:a SIP/2.0\r\nCall-ID: 1\r\n\r\n" : with(header);
        StreamReading reading = new StreamReading(SipStreamLimits.DEFAULT);
        byte[] stream = octets(message + RINGING);
        reading.piece(stream, 0, stream.length);
        assertThat(reading.found).containsExactly("FAULT " + fault);
        assertThat(fault.hasHeaders()).isTrue();
        assertThat(reading.framer().length()).isEqualTo(message.length());
        assertThat(reading.framer().next(octets(RINGING), 0, RINGING.length())).isEqualTo(SipStreamUnit.FAULT);
    }

    @Test
    void severalContentLengthsMustAgree() {
        assertThat(StreamReading.of(octets(with("Content-Length: 2\r\nl: 2") + "ab")))
                .containsExactly(with("Content-Length: 2\r\nl: 2") + "ab");
        assertThat(StreamReading.of(octets(with("Content-Length: 2\r\nl: 3") + "abc")))
                .containsExactly("FAULT CONTENT_LENGTH_CONTRADICTORY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "\u0016\u0003\u0001\u0000",
                "\n\r\n",
                "\r\r\n",
                " OPTIONS sip:a SIP/2.0\r\n",
                "SIP/2.0\r\n",
                "OPTIONS sip:a SIPS/2.0\r\n",
                "hello\r\n"
            })
    void whatIsNoStartLineIsGarbage(String text) {
        List<String> found = StreamReading.of(octets(text + "x".repeat(20)));
        if (text.equals("SIP/2.0\r\n")) {
            assertThat(found).isEmpty(); // a response without a code: its other faults are the parser's
        } else {
            assertThat(found).containsExactly("FAULT GARBAGE");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIONS sip:a SIP/7.0",
                "OPTIONS  sip:a  SIP/2.0",
                "OPTIONS sip:a SIP/2.0  ",
                "OPTIONS <sip:a> SIP/2.0",
                "!interesting-Method0123456789_*+`.%indeed'~ sip:a sip/2.0",
                "SIP/2.0 4294967301 better not break the receiver"
            })
    void leavesOtherFaultsOfTheStartLineToTheParser(String line) {
        String message = line + "\r\nl:0\r\n\r\n";
        assertThat(StreamReading.of(octets(message))).containsExactly(message);
    }

    /** A parser that ends lines there would see another Content-Length than this. */
    @ParameterizedTest
    @ValueSource(strings = {"X: y\rContent-Length: 5", "X: y\nContent-Length: 5", "X: y\n\nContent-Length: 5"})
    void aLineEndOfOneOctetEndsTheStream(String headers) {
        assertThat(StreamReading.of(octets(with(headers + "\r\nContent-Length: 0"))))
                .containsExactly("FAULT BARE_LINE_END");
    }

    @Test
    void boundsHeadersExactly() {
        SipStreamLimits limits = new SipStreamLimits(200, 100);
        String fits = "OPTIONS sip:a SIP/2.0\r\nl: 0\r\nX: ";
        fits += "x".repeat(200 - fits.length() - 4) + "\r\n\r\n";
        StreamReading reading = new StreamReading(limits);
        for (int i = 0; i < fits.length(); i++) {
            reading.piece(octets(fits), i, i + 1);
        }
        assertThat(reading.found).containsExactly(fits);
        String exceeds = fits.replace("X: ", "X:  ");
        reading.piece(octets(exceeds), 0, exceeds.length());
        assertThat(reading.found).containsExactly(fits, "FAULT HEADERS_TOO_LONG");
        StreamReading endless = new StreamReading(limits);
        endless.piece(octets("x".repeat(200)), 0, 200);
        assertThat(endless.found).containsExactly("FAULT HEADERS_TOO_LONG");
    }

    @Test
    void boundsBodiesExactly() {
        SipStreamLimits limits = new SipStreamLimits(200, 100);
        String fits = with("Content-Length: 100") + "b".repeat(100);
        StreamReading reading = new StreamReading(limits);
        reading.piece(octets(fits), 0, fits.length());
        String exceeds = with("Content-Length: 101");
        reading.piece(octets(exceeds), 0, exceeds.length());
        assertThat(reading.found).containsExactly(fits, "FAULT BODY_TOO_LONG");
    }

    @Test
    void looksAtEachByteOfAnIncompleteMessageOnce() {
        // otherwise 64 KB that arrive byte by byte would cost two thousand million looks
        byte[] message = octets(with("Content-Length: 65000\r\nX: " + "x".repeat(10_000)) + "b".repeat(65_000));
        SipStreamFramer framer = new SipStreamFramer(SipStreamLimits.DEFAULT);
        byte[] octets = message.clone();
        for (int available = 0; available < message.length; available++) {
            assertThat(framer.next(octets, 0, available)).isEqualTo(SipStreamUnit.INCOMPLETE);
            if (available > 30) { // the start line is looked at when it is complete
                octets[available - 3] = 0; // would be a fault, or another length, if it were looked at again
            }
            if (available == message.length - 65_001) {
                octets = message.clone(); // the end of the headers is the second look
            }
        }
        assertThat(framer.next(octets, 0, message.length)).isEqualTo(SipStreamUnit.MESSAGE);
        assertThat(framer.length()).isEqualTo(message.length);
    }

    @Test
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] stream = octets(INVITE + "\r\n\r\n" + RINGING + FOLDED);
        SipStreamFramer framer = new SipStreamFramer(SipStreamLimits.DEFAULT);
        read(framer, stream, 2_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        int units = read(framer, stream, 2_000);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
        assertThat(units).isEqualTo(2_000 * 5);
    }

    private static int read(SipStreamFramer framer, byte[] stream, int rounds) {
        int units = 0;
        for (int i = 0; i < rounds; i++) {
            int at = 0;
            while (framer.next(stream, at, stream.length - at) != SipStreamUnit.INCOMPLETE) {
                at += framer.length();
                units++;
            }
        }
        return units;
    }

    @Test
    void limitsMustMakeSense() {
        assertThatThrownBy(() -> new SipStreamLimits(63, 0)).hasMessageContaining("headerBytes is 63");
        assertThatThrownBy(() -> new SipStreamLimits(64, -1)).hasMessageContaining("bodyBytes is -1");
    }
}
