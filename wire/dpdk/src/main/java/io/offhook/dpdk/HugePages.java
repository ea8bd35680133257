package io.offhook.dpdk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The huge pages of a machine.
 *
 * @param total the number of pages of the default size, which vm.nr_hugepages sets: /proc/meminfo
 * @param free the free pages among them
 * @param kb the default size in kB, at least 1
 * @param freeMib the free MiB in pages of all sizes: DPDK uses any
 */
record HugePages(long total, long free, long kb, long freeMib) {
    private static final long DEFAULT_KB = 2048;
    private static final long KB_PER_MIB = 1024;
    private static final Pattern SIZE = Pattern.compile("hugepages-(\\d{1,12})kB");

    /**
     * Reads the current values; none if the machine does not report them.
     *
     * @param root the directory that contains {@code proc} and {@code sys}
     */
    static HugePages below(Path root) {
        String text = text(root.resolve("proc/meminfo"));
        long free = number(text, "HugePages_Free: +(\\d{1,12})", 0);
        long kb = Math.max(1, number(text, "Hugepagesize: +(\\d{1,12}) kB", DEFAULT_KB));
        long freeMib = Math.max(free * kb, freeKb(root.resolve("sys/kernel/mm/hugepages"))) / KB_PER_MIB;
        return new HugePages(number(text, "HugePages_Total: +(\\d{1,12})", 0), free, kb, freeMib);
    }

    /** Returns the free kB in pages of all sizes; 0 if the kernel has no such directory. */
    private static long freeKb(Path folder) {
        long kb = 0;
        try (DirectoryStream<Path> sizes = Files.newDirectoryStream(folder)) {
            for (Path size : sizes) {
                Matcher name = SIZE.matcher(size.getFileName().toString());
                if (name.matches()) {
                    kb += Long.parseLong(name.group(1))
                            * number(text(size.resolve("free_hugepages")), "(\\d{1,12})", 0);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return 0;
        }
        return kb;
    }

    /** Returns how many pages of the default size must exist for this memory to be free, including those in use. */
    long wanted(int mib) {
        return total - free + (mib * KB_PER_MIB + kb - 1) / kb;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static long number(String text, String pattern, long otherwise) {
        Matcher line = Pattern.compile("(?m)^" + pattern).matcher(text);
        return line.find() ? Long.parseLong(line.group(1)) : otherwise;
    }
}
