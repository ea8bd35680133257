package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is called for every message allocates nothing once warmed. */
class SipAllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 10_000;

    private static final String BODY = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\n";
    private static final String MESSAGE = Native.lines(
                    "INVITE sip:bob@biloxi.example.com SIP/2.0",
                    "Via: SIP/2.0/UDP pc33.atlanta.example.com:5066;branch=z9hG4bKnashds8;rport",
                    "Max-Forwards: 70",
                    "From: \"Alice\" <sip:alice@atlanta.example.com>;tag=1928301774",
                    "To: Bob <sip:bob@biloxi.example.com>",
                    "Call-ID: a84b4c76e66710@pc33.atlanta.example.com",
                    "CSeq: 314159 INVITE",
                    "Contact: <sip:alice@pc33.atlanta.example.com>",
                    "Content-Type: application/sdp",
                    "Content-Length: " + BODY.length(),
                    "")
            + BODY;

    private final MemorySegment message = Native.text(MESSAGE);
    private final SipText copy = new SipText();
    private final SipMessageView view = new SipMessageView();
    private final SipBufferPool pool = new SipBufferPool(1 << 20);
    private final SipStreamCounters counters = new SipStreamCounters();
    private final SipStream text = new SipStream(pool, counters);
    private final SipStream split = new SipStream(pool, counters);
    private final SipStream webSocket = new SipStream(pool, counters);
    private long sum;
    private final SipSink sink = (octets, offset, length, timestampNs, frameNumber) -> sum += length;

    @Test
    void indexingAllocatesNothing() {
        assertAllocatesNothing(() -> {
            view.wrap(message, 0, MESSAGE.length());
            sum += view.callIdHash() ^ view.fromTagHash() ^ view.toTagHash() ^ view.topViaBranchHash();
            sum += view.cseqNumber() + view.bodyLength() + view.headerCount();
            sum += view.method() == SipMethod.INVITE && view.cseqMethod() == SipMethod.INVITE ? 1 : 0;
            sum ^= view.captureHash();
            sum += view.callIdEquals("a84b4c76e66710@pc33.atlanta.example.com") ? 1 : 0;
        });
    }

    @Test
    void hashingTheCallIdAllocatesNothing() {
        assertAllocatesNothing(() -> {
            sum += SipRecognizer.isMessageStart(message, 0, MESSAGE.length(), copy) ? 1 : 0;
            sum += SipMessageView.callIdHash(copy.octets(), 0, copy.length());
        });
    }

    @Test
    void framingInPlaceAllocatesNothing() {
        MemorySegment two = Native.text(MESSAGE + "\r\n\r\n" + MESSAGE);
        int length = (int) two.byteSize();
        assertAllocatesNothing(() -> text.data(two, 0, length, 1, 2, sink));
        assertThat(counters.messages()).isEqualTo(2L * (WARM_UP + MEASURED));
    }

    @Test
    void framingOverSegmentsAllocatesNothingWithTheBuffersThere() {
        int half = MESSAGE.length() / 2;
        assertAllocatesNothing(() -> {
            split.data(message, 0, half, 1, 2, sink);
            split.data(message, half, MESSAGE.length() - half, 3, 4, sink);
        });
        assertThat(counters.messages()).isEqualTo(WARM_UP + MEASURED);
    }

    @Test
    void webSocketFramesAllocateNothing() {
        MemorySegment frame = Native.bytes(new Frames(new Random(1), true)
                .message(Frames.TEXT, MESSAGE)
                .bytes()
                .getBytes(StandardCharsets.ISO_8859_1));
        int length = (int) frame.byteSize();
        assertAllocatesNothing(() -> webSocket.data(frame, 0, length, 1, 2, sink));
        assertThat(counters.webSocketMessages()).isEqualTo(WARM_UP + MEASURED);
    }

    private void assertAllocatesNothing(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            work.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MEASURED; i++) {
            work.run();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(sum).isNotZero();
        // an object a turn would be 16 bytes times the turns
        assertThat(allocated).isLessThan(MEASURED);
    }
}
