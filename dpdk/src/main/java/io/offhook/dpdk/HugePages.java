package io.offhook.dpdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The huge pages of a machine, of its usual size: /proc/meminfo.
 *
 * @param total how many there are
 * @param free those that nobody has
 * @param kb of each, 1 or more
 */
record HugePages(long total, long free, long kb) {
    private static final long DEFAULT_KB = 2048;
    private static final long KB_PER_MIB = 1024;

    /**
     * Those of now; none where the machine does not tell.
     *
     * @param root the folder in which {@code proc} is
     */
    static HugePages below(Path root) {
        String text;
        try {
            text = Files.readString(root.resolve("proc/meminfo"));
        } catch (IOException e) {
            text = "";
        }
        return new HugePages(
                number(text, "HugePages_Total: +(\\d{1,12})", 0),
                number(text, "HugePages_Free: +(\\d{1,12})", 0),
                Math.max(1, number(text, "Hugepagesize: +(\\d{1,12}) kB", DEFAULT_KB)));
    }

    long freeMib() {
        return free * kb / KB_PER_MIB;
    }

    /** How many there must be so that so much is free, with those that somebody has. */
    long wanted(int mib) {
        return total - free + (mib * KB_PER_MIB + kb - 1) / kb;
    }

    private static long number(String text, String pattern, long otherwise) {
        Matcher line = Pattern.compile("(?m)^" + pattern).matcher(text);
        return line.find() ? Long.parseLong(line.group(1)) : otherwise;
    }
}
