package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** However a stream is cut into segments, the same messages come out of it. */
class SipStreamPropertyTest {
    private static final int ROUNDS = 100;
    /** The bytes at whose each the streams of {@link #SHAPES} are cut. */
    private static final int CUTS = 600;

    @Test
    void textStreamsGiveTheSameMessagesInAnySegmentation() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            List<String> expected = new ArrayList<>();
            StringBuilder stream = new StringBuilder();
            int count = 1 + random.nextInt(8);
            for (int i = 0; i < count; i++) {
                int between = random.nextInt(6);
                if (between == 0) {
                    stream.append("\r\n\r\n");
                } else if (between == 1 && i > 0) {
                    stream.append(garbage(random));
                }
                String message = message(random);
                expected.add(message);
                stream.append(message);
            }
            assertSame(round, random, stream.toString(), expected);
        }
    }

    @Test
    void webSocketStreamsGiveTheSameMessagesInAnySegmentation() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            boolean masked = random.nextBoolean();
            Frames frames = new Frames(random, masked).add(masked ? Frames.REQUEST : Frames.RESPONSE);
            List<String> expected = new ArrayList<>();
            int count = 1 + random.nextInt(8);
            for (int i = 0; i < count; i++) {
                String message = message(random);
                expected.add(message);
                switch (random.nextInt(4)) {
                    case 0 -> frames.fragmented(Frames.TEXT, message, 1 + random.nextInt(4));
                    case 1 -> frames.message(Frames.TEXT, "\r\n\r\n").message(Frames.BINARY, message);
                    case 2 -> frames.compressed(message);
                    default -> frames.message(Frames.PING | 0, "").message(Frames.TEXT, message);
                }
            }
            assertSame(round, random, frames.bytes(), expected);
        }
    }

    /** A start line of more than 40 bytes, which is what a stream of unknown content is recognized by. */
    private static final String LONG_START =
            "INVITE sip:a.rather.long.user.name@a-rather-long-host.example.com SIP/2.0";

    private static final List<String> SHAPES = List.of(
            Native.lines(LONG_START, "Call-ID: 1", "Content-Length: 4", "") + "v=0\n",
            Native.lines("OPTIONS sip:b@b SIP/2.0", "i: 2", "l: 0", ""),
            Native.lines("SIP/2.0 200 " + "A reason phrase that is longer than the opening", "i: 3", "l: 0", ""),
            Native.lines("SIP/2.0 200 OK", "i: 4", "l: 0", ""),
            Native.lines("INVITE sip:" + "u".repeat(2000) + "@h SIP/2.0", "i: 5", "l: 0", ""),
            Native.lines(
                    "X-METHOD sip:a.rather.long.user.name@a-rather-long-host.example.com SIP/2.0", "i: 6", "l: 0", ""),
            Native.lines("REGISTER tel:+44-1632-960961;phone-context=example.com SIP/2.0", "i: 7", "l: 0", ""));

    @Test
    void textMessagesAreTheSameWhereverTheyAreCut() {
        for (String first : SHAPES) {
            for (String second : List.of(SHAPES.getFirst(), SHAPES.get(3))) {
                assertSameAtEveryCut(first + second, List.of(first, second));
            }
        }
    }

    @Test
    void textMessagesBehindKeepAlivesAreTheSameWhereverTheyAreCut() {
        for (String message : SHAPES) {
            assertSameAtEveryCut("\r\n\r\n" + message, List.of(message));
        }
    }

    @Test
    void webSocketMessagesAreTheSameWhereverTheirFramesAreCut() {
        for (boolean masked : new boolean[] {false, true}) {
            for (boolean opens : new boolean[] {false, true}) {
                for (String message : SHAPES) {
                    String answer = SHAPES.getFirst();
                    Frames frames = new Frames(new Random(1), masked);
                    if (opens) {
                        frames.add(masked ? Frames.REQUEST : Frames.RESPONSE);
                    }
                    if (!opens && message.startsWith("X-METHOD")) {
                        continue; // in mid-stream, a frame is recognized by a registered method
                    }
                    frames.message(Frames.TEXT, message).message(Frames.BINARY, answer);
                    assertSameAtEveryCut(frames.bytes(), List.of(message, answer));
                }
            }
        }
    }

    /** Cuts a stream once, at each of its bytes, and twice, near enough for the middle segment to be a small one. */
    private static void assertSameAtEveryCut(String bytes, List<String> expected) {
        int end = Math.min(bytes.length() - 1, CUTS);
        for (int cut = 1; cut <= end; cut++) {
            for (int second : new int[] {bytes.length(), cut + 1, cut + 3, cut + 40, cut + 41}) {
                Feed feed = new Feed();
                feed.data(bytes.substring(0, cut));
                feed.data(bytes.substring(cut, Math.min(second, bytes.length())));
                if (second < bytes.length()) {
                    feed.data(bytes.substring(second));
                }
                assertThat(digests(feed.messages))
                        .as("cut at %d and %d of %s", cut, second, bytes.substring(0, Math.min(80, bytes.length())))
                        .isEqualTo(digests(expected));
                assertThat(feed.counters.skippedBytes().count()).isZero();
            }
        }
    }

    private static void assertSame(int seed, Random random, String bytes, List<String> expected) {
        Feed whole = new Feed();
        whole.data(bytes);
        assertThat(digests(whole.messages)).as("seed %d, one segment", seed).isEqualTo(digests(expected));
        int longest = 1 + random.nextInt(random.nextBoolean() ? 10 : 1500);
        Feed pieces = new Feed();
        int at = 0;
        while (at < bytes.length()) {
            int end = Math.min(bytes.length(), at + 1 + random.nextInt(longest));
            byte[] piece = bytes.substring(at, end).getBytes(StandardCharsets.ISO_8859_1);
            if (random.nextBoolean()) {
                pieces.data(piece);
            } else {
                pieces.data(Native.bytes(piece));
            }
            at = end;
        }
        assertThat(digests(pieces.messages))
                .as("seed %d, segments up to %d bytes", seed, longest)
                .isEqualTo(digests(expected));
        assertThat(pieces.counters.skippedBytes().count())
                .isEqualTo(whole.counters.skippedBytes().count());
        assertThat(pieces.counters.partialDropped().count()).isZero();
        // all buffers are back: another stream needs no new ones
        long allocated = pieces.pool.allocatedBytes();
        Feed next = new Feed(pieces.pool);
        next.data("SIP/2.0 200 OK\r\nl: 5\r\n\r\n");
        assertThat(pieces.pool.allocatedBytes()).isEqualTo(Math.max(allocated, 4096));
    }

    /** Enough of each message to compare and to be read in a failure. */
    private static List<String> digests(List<String> messages) {
        List<String> digests = new ArrayList<>();
        for (String message : messages) {
            digests.add(message.substring(0, 7) + message.length() + "/" + message.hashCode());
        }
        return digests;
    }

    private static String message(Random random) {
        StringBuilder body = new StringBuilder();
        int length = random.nextInt(4) == 0 ? random.nextInt(9000) : random.nextInt(300);
        for (int i = 0; i < length; i++) {
            body.append(
                    (char) (random.nextInt(8) == 0 ? "\r\n\r\n \0:v=".charAt(random.nextInt(9)) : random.nextInt(256)));
        }
        String start = random.nextBoolean() ? "INFO sip:bob@b SIP/2.0\r\n" : "SIP/2.0 200 OK\r\n";
        StringBuilder message = new StringBuilder(start);
        int headers = random.nextInt(20);
        for (int i = 0; i < headers; i++) {
            message.append("X-").append(i).append(": ").append("v".repeat(random.nextInt(60)));
            message.append(random.nextInt(5) == 0 ? "\r\n folded\r\n" : "\r\n");
        }
        message.append(random.nextBoolean() ? "Content-Length: " : "l:")
                .append(length)
                .append("\r\n");
        return message.append("Call-ID: ")
                .append(random.nextLong())
                .append("\r\n\r\n")
                .append(body)
                .toString();
    }

    private static String garbage(Random random) {
        StringBuilder garbage = new StringBuilder("garbage\r\n");
        int lines = random.nextInt(5);
        for (int i = 0; i < lines; i++) {
            for (int j = random.nextInt(100); j > 0; j--) {
                garbage.append((char) ('a' + random.nextInt(26)));
            }
            garbage.append(random.nextBoolean() ? "=\u0001" : " x").append(random.nextBoolean() ? "\r\n" : "\n");
        }
        return garbage.toString();
    }
}
