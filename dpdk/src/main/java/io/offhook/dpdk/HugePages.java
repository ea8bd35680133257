package io.offhook.dpdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The huge pages of this machine, of its usual size: /proc/meminfo. */
final class HugePages {
    private static final long DEFAULT_KB = 2048;
    private static final long KB_PER_MIB = 1024;

    private HugePages() {}

    /** Pages that nobody has; 0 where the machine does not tell. */
    static long free() {
        return number("HugePages_Free: +(\\d+)", 0);
    }

    /** Pages that so much memory takes. */
    static long wanted(int mib) {
        long kb = Math.max(1, number("Hugepagesize: +(\\d+) kB", DEFAULT_KB));
        return (mib * KB_PER_MIB + kb - 1) / kb;
    }

    private static long number(String pattern, long otherwise) {
        try {
            Matcher line = Pattern.compile("(?m)^" + pattern).matcher(Files.readString(Path.of("/proc/meminfo")));
            return line.find() ? Long.parseLong(line.group(1)) : otherwise;
        } catch (IOException e) {
            return otherwise;
        }
    }
}
