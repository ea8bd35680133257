package io.offhook.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of values. */
public final class ConfigTypes {
    private static final Pattern QUANTITY = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?) ?([a-zA-Zµ]+)");
    private static final Map<String, Long> BYTES = Map.of(
            "B",
            1L,
            "kB",
            1_000L,
            "MB",
            1_000_000L,
            "GB",
            1_000_000_000L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30);
    private static final Map<String, Long> DURATIONS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "µs",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);
    private static final Map<String, Long> AGES = Map.of("h", 3_600_000_000_000L, "d", 86_400_000_000_000L);
    private static final Map<String, Long> PACKETS = Map.of("pps", 1L, "kpps", 1_000L, "Mpps", 1_000_000L);
    private static final Map<String, Long> BITS =
            Map.of("bps", 1L, "kbps", 1_000L, "Mbps", 1_000_000L, "Gbps", 1_000_000_000L);

    private ConfigTypes() {}

    /**
     * A value with its place, for checks that compare it with others.
     *
     * @param <T> the Java type of the value
     * @param value the value
     * @param place where it is
     */
    public record Placed<T>(T value, ConfigPlace place) {}

    /**
     * A rate.
     *
     * @param perSecond packets or bits per second, more than 0
     * @param isBits whether the unit is bits
     */
    public record Rate(long perSecond, boolean isBits) {}

    /**
     * A type of text that a function parses.
     *
     * @param label the type, for the table of keys and for messages
     * @param parser throws {@link IllegalArgumentException} with the fault as message
     * @param <T> the Java type of the value
     */
    public static <T> ConfigType<T> scalar(String label, Function<String, T> parser) {
        return new ScalarType<>(label, parser);
    }

    /** Non-empty text of at most {@code maxLength} characters. */
    public static ConfigType<String> text(int maxLength) {
        return scalar("text", text -> {
            if (text.isEmpty() || text.length() > maxLength) {
                throw new IllegalArgumentException(
                        "text of " + text.length() + " characters; the limits are 1 to " + maxLength);
            }
            return text;
        });
    }

    /** An integer in a range, decimal or with {@code 0x}. */
    public static ConfigType<Integer> integer(int least, int most) {
        return scalar("integer, " + least + " to " + most, text -> Math.toIntExact(whole(text, least, most)));
    }

    /** As {@link #integer}, with 64 bits. */
    public static ConfigType<Long> longInteger(long least, long most) {
        return scalar("integer, " + least + " to " + most, text -> whole(text, least, most));
    }

    private static long whole(String text, long least, long most) {
        long value;
        try {
            value = text.startsWith("0x") ? Long.parseLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            if (!text.matches("-?[0-9]+|0x[0-9a-fA-F]+")) {
                throw new IllegalArgumentException("\"" + text + "\" is not a whole number", e);
            }
            throw new IllegalArgumentException(text + " is outside " + least + " to " + most, e);
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException(text + " is outside " + least + " to " + most);
        }
        return value;
    }

    /** A number in a range, which may have decimals: {@code 3.6}. */
    public static ConfigType<Double> decimal(double least, double most) {
        String range = shown(least) + " to " + shown(most);
        return scalar("number, " + range, text -> {
            if (!text.matches("-?[0-9]{1,12}(\\.[0-9]{1,12})?")) {
                throw new IllegalArgumentException("\"" + text + "\" is not a number");
            }
            double value = Double.parseDouble(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException(text + " is outside " + range);
            }
            return value;
        });
    }

    private static String shown(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** {@code true} or {@code false}. */
    public static ConfigType<Boolean> bool() {
        return scalar("true or false", text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("\"" + text + "\" is neither true nor false");
        });
    }

    /**
     * A constant of an enum, in lower case with {@code -} for {@code _}.
     *
     * @param type the enum
     * @param <E> the enum
     */
    public static <E extends Enum<E>> ConfigType<E> oneOf(Class<E> type) {
        List<String> names = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            names.add(name(constant));
        }
        String label = "one of " + String.join(", ", names);
        return scalar(label, text -> {
            int index = names.indexOf(text);
            if (index < 0) {
                throw new IllegalArgumentException(NearestName.unknown(text, names, label));
            }
            return type.getEnumConstants()[index];
        });
    }

    /**
     * One of some values, by its name.
     *
     * @param values by name, in the order of messages and of the documentation
     * @param <T> the Java type of the values
     */
    public static <T> ConfigType<T> oneOf(Map<String, T> values) {
        Map<String, T> known = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        String label = "one of " + String.join(", ", known.keySet());
        return scalar(label, text -> {
            T value = known.get(text);
            if (value == null) {
                throw new IllegalArgumentException(NearestName.unknown(text, known.keySet(), label));
            }
            return value;
        });
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A size in bytes, {@code 64MiB} or {@code 1.5kB}; the range is in bytes. */
    public static ConfigType<Long> bytes(long least, long most) {
        return quantity("size", BYTES, least, most, "64MiB");
    }

    /** A duration in nanoseconds, {@code 10ms}, {@code 1.5s} or {@code 2m}; the range is in nanoseconds. */
    public static ConfigType<Long> durationNs(long leastNs, long mostNs) {
        return quantity("duration", DURATIONS, leastNs, mostNs, "10ms");
    }

    /** A long duration in nanoseconds, {@code 24h} or {@code 90d}; the range is in nanoseconds. */
    public static ConfigType<Long> ageNs(long leastNs, long mostNs) {
        return quantity("duration", AGES, leastNs, mostNs, "90d");
    }

    /** A duration in seconds, written likewise; the range is in nanoseconds. */
    public static ConfigType<Double> seconds(long leastNs, long mostNs) {
        String range = shown(leastNs, DURATIONS) + " to " + shown(mostNs, DURATIONS);
        return scalar("duration, " + range, text -> {
            long value = scaled(text, DURATIONS, "10ms");
            if (value < leastNs || value > mostNs) {
                throw new IllegalArgumentException(text + " is outside " + range);
            }
            return value / 1e9;
        });
    }

    /** A rate, {@code 10kpps} or {@code 100Mbps}, from 1 to 10^12 per second. */
    public static ConfigType<Rate> rate() {
        return scalar("rate, such as 10kpps or 100Mbps", text -> {
            boolean isBits = text.endsWith("bps");
            long perSecond = scaled(text, isBits ? BITS : PACKETS, "10kpps or 100Mbps");
            if (perSecond < 1 || perSecond > 1_000_000_000_000L) {
                throw new IllegalArgumentException(text + " is outside 1 to 10^12 per second");
            }
            return new Rate(perSecond, isBits);
        });
    }

    private static ConfigType<Long> quantity(
            String what, Map<String, Long> units, long least, long most, String example) {
        String range = shown(least, units) + " to " + shown(most, units);
        return scalar(what + ", " + range, text -> {
            long value = scaled(text, units, example);
            if (value < least || value > most) {
                throw new IllegalArgumentException(text + " is outside " + range);
            }
            return value;
        });
    }

    private static long scaled(String text, Map<String, Long> units, String example) {
        Matcher matcher = QUANTITY.matcher(text);
        Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not a number with a unit, such as " + example);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(unit))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is too large, or not a whole number of the smallest unit", e);
        }
    }

    /** Formats a value in the largest unit of which it is a whole multiple. */
    private static String shown(long value, Map<String, Long> units) {
        String name = "";
        long largest = 0;
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            boolean fits = value % unit.getValue() == 0 && (value != 0 || unit.getValue() == 1);
            if (fits && unit.getValue() > largest) {
                largest = unit.getValue();
                name = unit.getKey().replace('µ', 'u');
            }
        }
        return largest == 0 ? String.valueOf(value) : value / largest + name;
    }

    /**
     * A list of at most {@code max} values of one type.
     *
     * @param item the type of the items
     * @param max the most items
     * @param <T> the Java type of the items
     */
    public static <T> ConfigType<List<T>> list(ConfigType<T> item, int max) {
        return new ListType<>(item, max);
    }

    /**
     * At most {@code max} values under names that the file chooses, in the order of the file.
     *
     * @param value the type of the values
     * @param max the most values
     * @param <T> the Java type of the values
     */
    public static <T> ConfigType<Map<String, T>> map(ConfigType<T> value, int max) {
        return new MapType<>(value, max);
    }

    /**
     * One of several kinds, by the name of its schema: {@code name: {keys}}, or {@code name} alone.
     *
     * @param kinds the schemas of the kinds
     * @param <T> the common Java type
     */
    public static <T> ConfigType<T> choice(List<ConfigSchema<? extends T>> kinds) {
        return new ChoiceType<>(kinds);
    }

    /**
     * A type that keeps the place of its value.
     *
     * @param type the type of the value
     * @param <T> the Java type of the value
     */
    public static <T> ConfigType<Placed<T>> placed(ConfigType<T> type) {
        return new PlacedType<>(type);
    }
}
