package io.offhook.sip.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.IpAddress;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.ContentLengthProblem;
import io.offhook.sip.SipMessageView;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class SipStreamFuzzTest {
    /** Whole and in pieces it is the same, and what comes out as a message a parser takes to be as long. */
    @FuzzTest(maxDuration = "60s")
    void stream(byte[] bytes) {
        SipStreamLimits limits = new SipStreamLimits(512, 256);
        StreamReading whole = new StreamReading(limits);
        whole.piece(bytes, 0, bytes.length);
        StreamReading pieces = new StreamReading(limits);
        Random cuts = new Random(bytes.length);
        int at = 0;
        while (at < bytes.length) {
            int end = Math.min(bytes.length, at + 1 + cuts.nextInt(40));
            pieces.piece(bytes, at, end);
            at = end;
        }
        assertThat(pieces.found).isEqualTo(whole.found);
        SipMessageView view = new SipMessageView();
        for (String found : whole.found) {
            if (!found.startsWith("FAULT ") && !found.equals("PING") && !found.equals("PONG")) {
                byte[] message = found.getBytes(StandardCharsets.ISO_8859_1);
                assertThat(message.length).isLessThanOrEqualTo(512 + 256);
                if (view.wrap(message, 0, message.length) == WrapStatus.OK && view.headerOverflow() == 0) {
                    assertThat(view.contentLengthProblem()).as(found).isEqualTo(ContentLengthProblem.NONE);
                    assertThat(view.bodyOffset() + view.bodyLength()).as(found).isEqualTo(message.length);
                }
            }
        }
    }

    @FuzzTest(maxDuration = "60s")
    void stun(byte[] bytes) {
        byte[] answer = new byte[StunKeepAlive.MOST_ANSWER_BYTES];
        IpAddress source = IpAddress.ofIpv4(bytes.length);
        int length = new StunKeepAlive().answer(bytes, 0, bytes.length, source, 5060, answer);
        assertThat(length).isLessThanOrEqualTo(3 * bytes.length);
    }
}
