package io.offhook.proxy.dns;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class DnsFuzzTest {
    /** What a server sends: any bytes have a reply, whose size is limited. */
    @FuzzTest(maxDuration = "60s")
    void answer(byte[] bytes) {
        DnsMessages messages = new DnsMessages(new DnsCounts());
        for (DnsType type : DnsType.values()) {
            DnsReply reply = messages.read(bytes, new DnsQuestion("example.com", type), 7);
            assertThat(reply.answer().records()).hasSizeLessThanOrEqualTo(DnsMessages.MAX_RECORDS);
        }
    }

    /** What an ENUM record may have: the result is a clean text, in bounded time. */
    @FuzzTest(maxDuration = "60s")
    void substitution(byte[] bytes) {
        String result = NaptrSubstitution.apply(new String(bytes, StandardCharsets.ISO_8859_1), "+441632960083");
        assertThat(result).hasSizeLessThanOrEqualTo(512).matches("[!-~]*");
    }
}
