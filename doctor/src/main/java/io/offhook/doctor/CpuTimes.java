package io.offhook.doctor;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of {@code /proc/stat}, proc_stat(5): all time of all processors, and that which a hypervisor gave to others. */
final class CpuTimes {
    private static final int USER = 1;
    private static final int STEAL = 8;

    private CpuTimes() {}

    /** {@code cpu.total} and {@code cpu.steal} in ticks; nothing where the file is not there. */
    static Map<String, Long> parse(@Nullable String text) {
        String[] words =
                Numbers.words(text == null ? "" : text.lines().findFirst().orElse(""));
        if (!words[0].equals("cpu") || words.length <= STEAL) {
            return Map.of();
        }
        long total = 0;
        // what follows steal, guests' time, is in user and nice already
        for (int i = USER; i <= STEAL; i++) {
            total += Numbers.orZero(words[i]);
        }
        return Map.of("cpu.total", total, "cpu.steal", Numbers.orZero(words[STEAL]));
    }
}
