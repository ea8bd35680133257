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
 * How fast the time-stamp counter of an x86 processor counts, by which nanoseconds become cycles. It runs at one rate,
 * whatever the clock of a core does: with a core that runs faster or slower, these are not the core's own cycles.
 *
 * <p>Linux tells it in /proc/cpuinfo: {@code bogomips} is twice the rate in MHz that it has found for the counter (from the
 * processor, the hypervisor, or by another clock), where the flags say that the counter is constant.
 */
final class TscRate {
    private static final Path CPUINFO = Path.of("/proc/cpuinfo");
    private static final Pattern BOGOMIPS = Pattern.compile("bogomips\\s*:\\s*([0-9]{1,6}\\.[0-9]{1,3})");
    private static final Pattern FLAGS = Pattern.compile("flags\\s*:(.*)");

    private TscRate() {}

    /** Of this machine, in GHz; empty where it has none that is constant, or does not tell. */
    static OptionalDouble gigahertz() {
        try {
            return of(Files.readAllLines(CPUINFO, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return OptionalDouble.empty(); // no Linux, or nothing is shown here
        }
    }

    /** Of the first processor in a file of that kind. */
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
