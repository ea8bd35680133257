package io.offhook.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.offhook.store.StoreException;
import io.offhook.web.EmptyCalls;
import io.offhook.web.http.BadRequestException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UploadsTest {
    private static final long TEN_MINUTES_NS = 600_000_000_000L;

    private long nowNs;
    private EmptyCalls reader;
    private Uploads uploads;

    @BeforeEach
    void begin() throws StoreException {
        reader = new EmptyCalls();
        uploads = new Uploads(reader, 10, () -> nowNs);
    }

    @AfterEach
    void deleteAll() {
        uploads.close();
        assertThat(uploads.all()).isEmpty();
    }

    private Uploads.Upload add(int bytes) throws IOException {
        return uploads.add("capture.pcap", new ByteArrayInputStream(new byte[bytes]));
    }

    private void refuses(int status, InputStream content) {
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> uploads.add("capture.pcap", content))
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(status));
    }

    @Test
    void keepsACaptureUntilItIsDeleted() throws IOException {
        Uploads.Upload upload = add(10);
        assertThat(uploads.find(upload.id)).isSameAs(upload);
        assertThat(uploads.remove(upload.id)).isTrue();
        assertThat(uploads.remove(upload.id)).isFalse();
        assertThat(uploads.find(upload.id)).isNull();
        assertThat(reader.closed()).isEqualTo(1);
    }

    @Test
    void refusesWhatIsTooLargeOrEmpty() {
        refuses(413, new ByteArrayInputStream(new byte[11]));
        refuses(400, new ByteArrayInputStream(new byte[0]));
        assertThat(uploads.all()).isEmpty();
    }

    @Test
    void makesRoomByWhatNobodyLookedAtForTenMinutes() throws IOException {
        for (int i = 0; i < Uploads.MOST; i++) {
            add(1);
        }
        refuses(429, new ByteArrayInputStream(new byte[1]));
        Uploads.Upload first = uploads.all().getFirst();
        Uploads.Upload second = uploads.all().get(1);
        nowNs += TEN_MINUTES_NS;
        uploads.find(first.id);
        Uploads.Upload last = add(1);

        assertThat(uploads.all()).hasSize(Uploads.MOST).contains(first, last).doesNotContain(second);
    }

    @Test
    void endsACaptureThatNeverEnds() {
        refuses(408, new InputStream() {
            private int bytes;

            @Override
            public int read() {
                nowNs += 3600_000_000_001L;
                return bytes++ == 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                return read() < 0 ? -1 : 1;
            }
        });
    }

    @Test
    void shortensLongNames() throws IOException {
        assertThat(uploads.add("x".repeat(1000), new ByteArrayInputStream(new byte[1])).name)
                .hasSize(200);
    }
}
