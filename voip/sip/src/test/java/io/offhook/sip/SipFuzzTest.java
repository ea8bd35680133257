package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.WrapStatus;
import java.util.Arrays;
import java.util.Random;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class SipFuzzTest {
    @FuzzTest(maxDuration = "60s")
    void message(byte[] bytes) {
        SipMessageView view = new SipMessageView();
        boolean sip = SipRecognizer.isMessageStart(bytes, 0, bytes.length);
        WrapStatus status = view.wrap(bytes, 0, bytes.length);
        assertThat(status == WrapStatus.MALFORMED).isEqualTo(!sip);
        if (sip && view.headerOverflow() == 0) {
            assertThat(SipMessageView.callIdHash(bytes, 0, bytes.length)).isEqualTo(view.callIdHash());
        }
        SipAnyBytesTest.readEverything(view);
        SipText text = new SipText();
        assertThat(SipRecognizer.isMessageStart(Native.bytes(bytes), 0, bytes.length, text))
                .isEqualTo(sip);
        assertThat(SipRecognizer.match(Native.bytes(bytes), 0, bytes.length, text))
                .isEqualTo(SipRecognizer.match(bytes, 0, bytes.length));
    }

    @FuzzTest(maxDuration = "60s")
    void sessionDescription(byte[] bytes) {
        SessionDescription description = SessionDescription.parse(bytes, 0, bytes.length);
        for (MediaDescription media : description.media()) {
            media.rtcpEndpoint();
            media.endpoint();
            assertThat(media.codecs()).hasSizeLessThanOrEqualTo(media.formats().size());
        }
    }

    @FuzzTest(maxDuration = "60s")
    void stream(byte[] bytes) {
        SipBufferPool pool = new SipBufferPool(SipBufferPool.MESSAGE_LIMIT);
        Feed feed = new Feed(pool);
        Random cuts = new Random(bytes.length);
        int at = 0;
        while (at < bytes.length) {
            int end = Math.min(bytes.length, at + 1 + cuts.nextInt(1000));
            feed.data(Arrays.copyOfRange(bytes, at, end));
            at = end;
            if (cuts.nextInt(8) == 0) {
                feed.stream.gap(1);
            }
        }
        feed.stream.end();
        assertThat(feed.counters.messages()).isEqualTo(feed.messages.size());
        assertThat(feed.counters.skippedBytes().count()).isLessThanOrEqualTo(bytes.length);
        assertThat(pool.allocatedBytes()).isLessThanOrEqualTo(SipBufferPool.MESSAGE_LIMIT);
    }
}
