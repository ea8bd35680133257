package io.offhook.forward;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rate of the time-stamp counter of an x86 processor, which converts nanoseconds to cycles. It is constant: when a
 * core runs faster or slower, these are not the core's own cycles.
 *
 * <p>Linux reports it in /proc/cpuinfo: if the flags declare the counter constant, {@code bogomips} is twice its rate
 * in MHz, as known from the processor or hypervisor or measured against another clock.
 */
final class TscRate {
    private static final Path CPUINFO = Path.of("/proc/cpuinfo");
    private static final Pattern BOGOMIPS = Pattern.compile("bogomips\\s*:\\s*([0-9]{1,6}\\.[0-9]{1,3})");
    private static final Pattern FLAGS = Pattern.compile("flags\\s*:(.*)");

    private TscRate() {}

    /** The rate on this machine in GHz; empty if there is no constant counter or its rate is unknown. */
    static OptionalDouble gigahertz() {
        try {
            return of(Files.readAllLines(CPUINFO, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return OptionalDouble.empty(); // not Linux, or /proc is not readable
        }
    }

    /** The rate of the first processor listed in such a file. */
    static OptionalDouble of(List<String> cpuinfo) {
        boolean isConstant = false;
        for (String line : cpuinfo) {
            Matcher flags = FLAGS.matcher(line);
            if (flags.matches()) {
                isConstant = List.of(flags.group(1).trim().split(" ", -1)).contains("constant_tsc");
            }
            Matcher bogomips = BOGOMIPS.matcher(line);
            if (bogomips.matches()) {
                double gigahertz = Double.parseDouble(bogomips.group(1)) / 2000;
                return isConstant && gigahertz > 0 ? OptionalDouble.of(gigahertz) : OptionalDouble.empty();
            }
        }
        return OptionalDouble.empty();
    }
}
