package io.offhook.dpdk;

import io.offhook.linux.raw.MemoryStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What DPDK logs during a call, kept for the text of an exception. */
final class EalLog {
    private static final int BYTES = 64 << 10;
    private static final int LINES = 8;

    private final MemoryStream stream = new MemoryStream(BYTES);

    /** @param isShown whether DPDK logs to standard error itself */
    EalLog(boolean isShown) {
        if (!isShown) {
            RteEal.openLogStream(stream.address());
        }
    }

    /** Forgets what was logged. */
    void clear() {
        stream.clear();
    }

    /** Returns what was logged since, in one line; only the end if it is long. */
    String text() {
        List<String> lines = Arrays.stream(stream.text().split("\n", -1))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return lines.stream().skip(Math.max(0, lines.size() - LINES)).collect(Collectors.joining("; "));
    }
}
