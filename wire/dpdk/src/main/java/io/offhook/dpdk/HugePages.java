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
 * @param total how many there are of its usual size, which vm.nr_hugepages sets: /proc/meminfo
 * @param free those of them that nobody has
 * @param kb of each, 1 or more
 * @param freeMib MiB that nobody has, of all sizes: DPDK takes any
 */
record HugePages(long total, long free, long kb, long freeMib) {
    private static final long DEFAULT_KB = 2048;
    private static final long KB_PER_MIB = 1024;
    private static final Pattern SIZE = Pattern.compile("hugepages-(\\d{1,12})kB");

    /**
     * Those of now; none where the machine does not tell.
     *
     * @param root the folder in which {@code proc} and {@code sys} are
     */
    static HugePages below(Path root) {
        String text = text(root.resolve("proc/meminfo"));
        long free = number(text, "HugePages_Free: +(\\d{1,12})", 0);
        long kb = Math.max(1, number(text, "Hugepagesize: +(\\d{1,12}) kB", DEFAULT_KB));
        long freeMib = Math.max(free * kb, freeKb(root.resolve("sys/kernel/mm/hugepages"))) / KB_PER_MIB;
        return new HugePages(number(text, "HugePages_Total: +(\\d{1,12})", 0), free, kb, freeMib);
    }

    /** Of all sizes; 0 where the kernel has no such folder. */
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

    /** How many of the usual size there must be so that so much of them is free, with those that somebody has. */
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
