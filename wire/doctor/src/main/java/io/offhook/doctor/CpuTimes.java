package io.offhook.doctor;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code /proc/stat}, proc_stat(5): the total time of all processors, and the time that a hypervisor gave to
 * others.
 */
final class CpuTimes {
    private static final int USER = 1;
    private static final int STEAL = 8;

    private CpuTimes() {}

    /** Returns {@code cpu.total} and {@code cpu.steal} in ticks; empty if the file does not exist. */
    static Map<String, Long> parse(@Nullable String text) {
        String[] words =
                Numbers.words(text == null ? "" : text.lines().findFirst().orElse(""));
        if (!words[0].equals("cpu") || words.length <= STEAL) {
            return Map.of();
        }
        long total = 0;
        // the columns after steal, guest times, are included in user and nice
        for (int i = USER; i <= STEAL; i++) {
            total += Numbers.orZero(words[i]);
        }
        return Map.of("cpu.total", total, "cpu.steal", Numbers.orZero(words[STEAL]));
    }
}
