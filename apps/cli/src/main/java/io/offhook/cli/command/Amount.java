package io.offhook.cli.command;

import java.math.BigDecimal;
import java.util.Locale;

/** Parses sizes and durations in options. */
public final class Amount {
    private static final String DURATION = "--duration";

    private Amount() {}

    /** Adds {@code --duration S}, which {@link #durationNs} reads. */
    public static void describeDuration(CommandSpec spec) {
        spec.addOption(DURATION, "S", String.class, "End after this many seconds.");
    }

    /** The value of {@code --duration} in nanoseconds; {@code otherwise} if it is not given. */
    public static long durationNs(ParseResult arguments, long otherwise) {
        String text = arguments.optionValue(DURATION, String.class);
        return text == null ? otherwise : seconds(DURATION, text);
    }

    /**
     * Parses a size: "1500000", "1.5M", "64Ki".
     *
     * @param option its name, for the message
     * @return bytes, 1 or more
     */
    public static long bytes(String option, String text) {
        String number = text.replaceFirst("(?i)[kmgt]?i?b?$", "");
        String unit = text.substring(number.length()).toLowerCase(Locale.ROOT).replaceFirst("b$", "");
        long base = unit.endsWith("i") ? 1024 : 1000;
        int power = unit.isEmpty() ? 0 : "kmgt".indexOf(unit.charAt(0)) + 1;
        if (number.matches("[0-9]{1,15}(\\.[0-9]{1,6})?") && !unit.equals("i")) {
            BigDecimal bytes =
                    new BigDecimal(number).multiply(BigDecimal.valueOf(base).pow(power));
            if (bytes.signum() > 0 && bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return Math.max(1, bytes.longValue());
            }
        }
        throw new MisuseException(option + " " + text + " is not a size; examples: 1500000, 100M, 64Ki");
    }

    /**
     * Parses a number of seconds: "60", "0.5".
     *
     * @param option its name, for the message
     * @return nanoseconds, 1 or more
     */
    public static long seconds(String option, String text) {
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            long ns = new BigDecimal(text).movePointRight(9).longValueExact();
            if (ns > 0) {
                return ns;
            }
        }
        throw new MisuseException(option + " " + text + " is not a number of seconds; examples: 60, 0.5");
    }
}
