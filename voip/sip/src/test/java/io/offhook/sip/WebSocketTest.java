package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketTest {
    private static final String OK = Native.lines(
            "SIP/2.0 200 OK", "Via: SIP/2.0/WSS x.invalid;branch=z9", "Call-ID: 1", "Content-Length: 0", "");
    private static final String REGISTER = Native.lines(
            "REGISTER sip:proxy.example.com SIP/2.0", "Via: SIP/2.0/WS y.invalid;branch=z8", "Call-ID: 2", "");

    private final Random random = new Random(11);
    private final Frames client = new Frames(random, true);
    private final Frames server = new Frames(random, false);
    private final Feed feed = new Feed();

    /** A find of the fuzzer: a length of 64 bits, the highest of which is set. And frames that are cut anywhere. */
    @Test
    void doesNotReadBeyondAFrameThatIsCut() {
        byte[] octets = HexFormat.of().parseHex("02ffffff68000000" + "1641ff00417a");
        for (int length = 0; length <= octets.length; length++) {
            byte[] cut = Arrays.copyOf(octets, length);
            assertThat(WebSocketFrame.startsWithSip(cut, 0, length)).isFalse();
        }
        byte[] masked = Native.octets("\u0001x\0\0\0\0INVITE sip:alice@example.com SIP/2.0\r\n\r\n");
        masked[1] = (byte) (0x80 | masked.length - 6);
        assertThat(WebSocketFrame.startsWithSip(masked, 0, masked.length)).isTrue();
        for (int length = 0; length < 16; length++) {
            byte[] cut = Arrays.copyOf(masked, length);
            assertThat(WebSocketFrame.startsWithSip(cut, 0, length)).isFalse();
        }
    }

    @Test
    void readsMaskedFramesAfterTheHandshake() {
        feed.data(client.add(Frames.REQUEST).bytes());
        assertThat(feed.stream.isSip()).isTrue();
        assertThat(feed.stream.transport()).isEqualTo(SipTransport.WS);
        feed.data(new Frames(random, true).message(Frames.TEXT, REGISTER).bytes());
        feed.data(new Frames(random, true).message(Frames.BINARY, OK).bytes());

        assertThat(feed.messages).containsExactly(REGISTER, OK);
        assertThat(feed.frames).containsExactly(2L, 3L);
        assertThat(feed.counters.webSocketMessages()).isEqualTo(2);
    }

    @Test
    void handsOnUnmaskedFramesInPlace() {
        feed.data(server.add(Frames.RESPONSE).message(Frames.TEXT, OK).bytes());
        feed.data(new Frames(random, false)
                .message(Frames.TEXT, REGISTER)
                .message(Frames.TEXT, "\r\n\r\n")
                .message(Frames.TEXT, OK)
                .bytes());

        assertThat(feed.messages).containsExactly(OK, REGISTER, OK);
        assertThat(feed.inPlace).isEqualTo(3);
        assertThat(feed.counters.keepAlives()).isEqualTo(1);
        assertThat(feed.stream.isWebSocket()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void putsFragmentsTogetherAroundControlFrames(boolean masked) {
        String large = REGISTER + "x".repeat(70_000);
        String bytes = new Frames(random, masked)
                .add(masked ? Frames.REQUEST : Frames.RESPONSE)
                .fragmented(Frames.TEXT, REGISTER, 3)
                .frame(0x88, "\u0003\u00e8")
                .fragmented(Frames.BINARY, large, 2)
                .message(Frames.TEXT, large)
                .bytes();
        for (int i = 0; i < bytes.length(); i += 1000) {
            feed.data(bytes.substring(i, Math.min(i + 1000, bytes.length())));
        }

        assertThat(feed.messages).containsExactly(REGISTER, large, large);
        assertThat(feed.counters.webSocketErrors().count()).isZero();
        assertThat(feed.counters.skippedBytes().count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void picksUpInMidStreamWithoutHandshake(boolean masked) {
        feed.data("\u0081\u00fe\u0000 middle of a frame that nobody saw \u0001\u0002");
        feed.data(new Frames(random, masked)
                .message(Frames.TEXT, REGISTER)
                .message(Frames.TEXT, OK)
                .bytes());

        assertThat(feed.messages).containsExactly(REGISTER, OK);
        assertThat(feed.stream.isWebSocket()).isTrue();
        assertThat(feed.stream.isSip()).isTrue();
    }

    @Test
    void findsFramesAgainAfterGap() {
        feed.data(client.add(Frames.REQUEST).message(Frames.TEXT, REGISTER).bytes());
        String frame = new Frames(random, true).message(Frames.TEXT, REGISTER).bytes();
        feed.data(frame.substring(0, 50));
        feed.stream.gap(10);
        feed.data(frame.substring(60));
        feed.data(new Frames(random, true).message(Frames.TEXT, OK).bytes());

        assertThat(feed.messages).containsExactly(REGISTER, OK);
        assertThat(feed.counters.partialDropped().count()).isEqualTo(1);
    }

    @Test
    void inflatesCompressedMessagesThatReferToEarlierOnes() {
        feed.data(server.add(Frames.RESPONSE)
                .compressed(REGISTER)
                .compressed(REGISTER)
                .compressed(OK)
                .message(Frames.TEXT, OK)
                .bytes());
        String deflated = server.deflated(REGISTER);
        feed.data(new Frames(random, false)
                .fragmented(Frames.COMPRESSED | Frames.TEXT, deflated, 2)
                .bytes());

        assertThat(feed.messages).containsExactly(REGISTER, REGISTER, OK, OK, REGISTER);
        assertThat(feed.counters.webSocketUnreadable().count()).isZero();
    }

    @Test
    void countsCompressedMessagesThatCannotBeRead() {
        feed.data(server.add(Frames.RESPONSE)
                .message(Frames.COMPRESSED | Frames.TEXT, "\u00ff\u00ff\u00ff not deflate")
                .compressed(REGISTER)
                .message(Frames.TEXT, OK)
                .bytes());

        assertThat(feed.messages).containsExactly(OK);
        assertThat(feed.counters.webSocketUnreadable().count()).isEqualTo(2);
    }

    @Test
    void boundsWhatInflatingGives() {
        feed.data(server.add(Frames.RESPONSE)
                .compressed(REGISTER + " ".repeat(10_000_000))
                .message(Frames.TEXT, OK)
                .bytes());

        assertThat(feed.messages).containsExactly(OK);
        assertThat(feed.counters.webSocketUnreadable().count()).isEqualTo(1);
        assertThat(feed.pool.allocatedBytes()).isLessThan(1 << 20);
    }

    @Test
    void passesOverFramesThatAreTooLarge() {
        String large = REGISTER + "x".repeat(300_000);
        String bytes = server.add(Frames.RESPONSE)
                .message(Frames.TEXT, large)
                .message(Frames.TEXT, OK)
                .fragmented(Frames.TEXT, large, 2)
                .message(Frames.TEXT, REGISTER)
                .bytes();
        for (int i = 0; i < bytes.length(); i += 1400) {
            feed.data(bytes.substring(i, Math.min(i + 1400, bytes.length())));
        }

        assertThat(feed.messages).containsExactly(OK, REGISTER);
        assertThat(feed.counters.oversized().count()).isEqualTo(2);
        assertThat(feed.counters.skippedBytes().count()).isBetween(600_000L, 601_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00b1\u0005hello", "\u0083\u0005hello", "\u0089~\u0000\u00ff", "\t\u0001x"})
    void breaksOffAtWhatIsNoFrame(String wrong) {
        feed.data(
                server.add(Frames.RESPONSE).message(Frames.TEXT, OK).add(wrong).bytes());
        feed.data("\u0000 nothing \u0001");
        feed.data(new Frames(random, false).message(Frames.TEXT, REGISTER).bytes());

        assertThat(feed.messages).containsExactly(OK, REGISTER);
        assertThat(feed.counters.webSocketErrors().count()).isEqualTo(1);
    }

    @Test
    void rejectsOtherSubprotocolsAndOtherPayloads() {
        feed.data(Frames.REQUEST.replace("Protocol: sip", "Protocol: chat, superchat"));
        assertThat(feed.stream.isRejected()).isTrue();

        Feed several = new Feed();
        several.data(Frames.REQUEST.replace("Protocol: sip", "Protocol: msrp , SIP"));
        assertThat(several.stream.isSip()).isTrue();

        Feed unnamed = new Feed();
        unnamed.data(Frames.RESPONSE.replace("Sec-WebSocket-Protocol: sip\r\n", ""));
        assertThat(unnamed.stream.isSip()).isFalse();
        for (int i = 0; i < 8; i++) {
            assertThat(unnamed.stream.isRejected()).isFalse();
            unnamed.data(new Frames(random, false)
                    .message(Frames.TEXT, "{\"json\":1}")
                    .bytes());
        }
        assertThat(unnamed.stream.isRejected()).isTrue();
        assertThat(unnamed.counters.webSocketForeignMessages()).isEqualTo(8);

        Feed refused = new Feed();
        refused.data("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        assertThat(refused.stream.isRejected()).isTrue();
    }

    private static void exhaust(SipBufferPool pool) {
        byte[] taken = pool.borrow(1);
        while (taken != null) {
            taken = pool.borrow(1);
        }
    }

    @Test
    void countsALackOfBuffersAsSuch() {
        Feed small = new Feed(new SipBufferPool(SipBufferPool.MESSAGE_LIMIT));
        small.data(client.add(Frames.REQUEST).bytes());
        exhaust(small.pool);
        small.data(new Frames(random, true).message(Frames.TEXT, REGISTER).bytes()); // is unmasked into a buffer
        assertThat(small.counters.bufferRefusals().count()).isEqualTo(1);
        String frame = new Frames(random, false).message(Frames.TEXT, OK).bytes();
        small.data(frame.substring(0, frame.length() / 2));
        assertThat(small.counters.bufferRefusals().count()).isEqualTo(2);
        assertThat(small.counters.oversized().count()).isZero();
        assertThat(small.counters.webSocketErrors().count()).isZero();
        small.data(frame); // goes on with the next frame
        assertThat(small.messages).containsExactly(OK);
    }

    @Test
    void goesOnWithAStreamWhoseBeginningFoundNoBuffer() {
        Feed small = new Feed(new SipBufferPool(SipBufferPool.MESSAGE_LIMIT));
        exhaust(small.pool);
        small.data("INVI");
        assertThat(small.stream.isRejected()).isFalse();
        small.data(Frames.REQUEST);
        assertThat(small.stream.isRejected()).isFalse();
        assertThat(small.counters.bufferRefusals().count()).isEqualTo(2);
        small.data(OK);
        assertThat(small.messages).containsExactly(OK);
    }
}
