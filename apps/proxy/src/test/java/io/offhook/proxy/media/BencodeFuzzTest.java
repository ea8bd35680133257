package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.config.ConfigReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class BencodeFuzzTest {
    private static final MediaConfig CONFIG =
            ConfigReader.of(MediaConfig.schema()).read("engines: [{address: '127.0.0.1:1'}]", "proxy.yaml");

    /** What an engine sends: whatever it is, a command completes at most once by it. */
    @FuzzTest(maxDuration = "60s")
    void reply(byte[] bytes) {
        List<MediaReply> replies = new ArrayList<>();
        NgExchange exchange = new NgExchange(CONFIG, "c_", (_, _) -> {}, new MediaCounts());
        for (int i = 0; i < 3; i++) {
            exchange.submit(MediaRequest.query("id"), CONFIG.profile(), replies::add, 0);
        }
        exchange.received(0, bytes, bytes.length, 1);
        exchange.received(0, bytes, bytes.length, 2);
        assertThat(replies).hasSizeLessThanOrEqualTo(1);
        Bencode value = BencodeReader.read(bytes, 0, bytes.length);
        if (value != null) {
            byte[] written = Bencode.written(value);
            assertThat(BencodeReader.read(Arrays.copyOf(written, written.length), 0, written.length))
                    .isEqualTo(value);
        }
    }
}
