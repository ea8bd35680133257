package io.offhook.dpdk;

import io.offhook.linux.raw.MemoryStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What DPDK says while it is asked for something: kept for the text of an error. */
final class EalLog {
    private static final int BYTES = 64 << 10;
    private static final int LINES = 8;

    private final MemoryStream stream = new MemoryStream(BYTES);

    /** @param isShown whether DPDK tells it itself, on standard error */
    EalLog(boolean isShown) {
        if (!isShown) {
            RteEal.openLogStream(stream.address());
        }
    }

    /** Forgets what was said. */
    void clear() {
        stream.clear();
    }

    /** What was said since, in one line: the last of it, where it is much. */
    String text() {
        List<String> lines = Arrays.stream(stream.text().split("\n", -1))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.stream().skip(Math.max(0, lines.size() - LINES)).collect(Collectors.joining("; "));
    }
}
