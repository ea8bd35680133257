package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class SipFuzzTest {
    @FuzzTest(maxDuration = "60s")
    void message(byte[] bytes) {
        MemorySegment segment = Native.bytes(bytes);
        SipMessageView view = new SipMessageView();
        boolean sip = SipRecognizer.isMessageStart(segment, 0, bytes.length);
        WrapStatus status = view.wrap(segment, 0, bytes.length);
        assertThat(status == WrapStatus.MALFORMED).isEqualTo(!sip);
        if (sip && view.headerOverflow() == 0) {
            assertThat(SipMessageView.callIdHash(segment, 0, bytes.length)).isEqualTo(view.callIdHash());
        }
        SipMessageViewTest.readEverything(view);
    }

    @FuzzTest(maxDuration = "60s")
    void sessionDescription(byte[] bytes) {
        MemorySegment segment = Native.bytes(bytes);
        SessionDescription description = SessionDescription.parse(segment, 0, bytes.length);
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
            feed.data(Native.bytes(Arrays.copyOfRange(bytes, at, end)));
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
