package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.CaptureNetwork;
import io.offhook.cli.Json;
import java.util.Map;
import java.util.Objects;

/** The object {@code captured} that {@code capture --format json} prints at its end. */
final class CaptureResult {
    private CaptureResult() {}

    static Map<String, Object> captured(CaptureNetwork.Running running) throws InterruptedException {
        Map<String, Object> all = Json.object(running.out());
        @SuppressWarnings("unchecked")
        Map<String, Object> captured = (Map<String, Object>) Objects.requireNonNull(all.get("captured"));
        return captured;
    }

    static long number(Map<String, Object> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).longValue();
    }

    static void assertAddsUp(Map<String, Object> captured, long sent) {
        assertThat(number(captured, "received")).isEqualTo(sent);
        assertThat(number(captured, "captured")
                        + number(captured, "filtered")
                        + number(captured, "ringDrops")
                        + number(captured, "kernelDrops"))
                .isEqualTo(sent);
        assertThat(number(captured, "written") + number(captured, "diskDrops")).isEqualTo(number(captured, "captured"));
    }
}
