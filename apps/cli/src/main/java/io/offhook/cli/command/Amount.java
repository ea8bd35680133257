package io.offhook.cli.command;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses sizes and durations in options. */
public final class Amount {
    private static final String DURATION = "--duration";

    private static final Pattern TIME = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)([smh])?");

    private Amount() {}

    /** Adds {@code --duration S}, which {@link #durationNs} reads. */
    public static void describeDuration(CommandSpec spec) {
        spec.addOption(DURATION, "TIME", String.class, "End after this time: seconds, or such as 90s, 10m, 2h.");
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
     * Parses a time: "60" and "0.5" in seconds, "90s", "10m", "2h".
     *
     * @param option its name, for the message
     * @return nanoseconds, 1 or more
     */
    public static long seconds(String option, String text) {
        Matcher time = TIME.matcher(text);
        if (time.matches()) {
            long unit = unit(time.group(2));
            BigDecimal ns = new BigDecimal(time.group(1))
                    .multiply(BigDecimal.valueOf(unit))
                    .movePointRight(9);
            if (ns.compareTo(BigDecimal.ONE) >= 0 && ns.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) < 0) {
                return ns.longValue();
            }
        }
        throw new MisuseException(option + " " + text + " is not a time; examples: 60 (seconds), 0.5, 90s, 10m, 2h");
    }

    /** @return seconds */
    private static long unit(@Nullable String letter) {
        return switch (letter) {
            case "h" -> 3600;
            case "m" -> 60;
            case null, default -> 1;
        };
    }
}
