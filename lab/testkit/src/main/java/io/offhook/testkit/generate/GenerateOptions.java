package io.offhook.testkit.generate;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The traffic to generate.
 *
 * @param calls 1 to 1,000,000
 * @param seconds the average talk time of an answered call, 0.1 to 86,400; each call talks for at least one second,
 *     with a standard deviation of a quarter
 * @param callsPerSecond the calls started per second, 0.001 to 1,000,000
 * @param seed the seed of the random numbers: equal options and seeds give equal bytes
 * @param background the packets other than VoIP, 0 to 10,000,000, spread over the duration of the calls
 * @param ipv6 the share of calls over IPv6, 0 to 1
 * @param vlan the share of calls with a VLAN tag, 0 to 1
 * @param tcp the share of calls whose SIP goes over TCP, 0 to 1
 * @param loss the share of RTP packets lost on average, 0 to 1: none in half of all streams, this in a quarter, three
 *     times this in the rest
 * @param duplicates the share of RTP packets that arrive twice, 0 to 1
 * @param reordering the share of RTP packets that arrive after the next one, 0 to 1
 * @param outcomes the weight of each outcome; at least one is not 0
 */
public record GenerateOptions(
        int calls,
        double seconds,
        double callsPerSecond,
        long seed,
        int background,
        double ipv6,
        double vlan,
        double tcp,
        double loss,
        double duplicates,
        double reordering,
        Map<DrawnOutcome, Double> outcomes) {
    /** The limit of packets, which take 250 bytes of memory each. */
    static final long MOST_PACKETS = 100_000_000;

    private static final double PACKETS_PER_SECOND = 100;
    private static final double PACKETS_OF_SIP = 12;
    private static final String OUTCOMES = "answered:80,busy:6,cancelled:5,declined:3,noanswer:3,auth:3";

    /** The options with their defaults. */
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("--calls", "100"),
            Map.entry("--seconds", "15"),
            Map.entry("--cps", "20"),
            Map.entry("--seed", "1"),
            Map.entry("--background", "0"),
            Map.entry("--ipv6", "0"),
            Map.entry("--vlan", "0"),
            Map.entry("--tcp", "0"),
            Map.entry("--loss", "0.01"),
            Map.entry("--dup", "0"),
            Map.entry("--reorder", "0"),
            Map.entry("--outcomes", OUTCOMES));

    /** Whether there is an option of that name; each takes a value. */
    static boolean isOption(String word) {
        return DEFAULTS.containsKey(word);
    }

    /**
     * Reads the values that were given, each under the name of its option.
     *
     * @throws MisuseException for an invalid value; the message names it and the limits
     */
    public static GenerateOptions of(Map<String, String> given) throws MisuseException {
        Values values = new Values(given);
        GenerateOptions options = new GenerateOptions(
                (int) values.whole("--calls", 1, 1_000_000),
                values.number("--seconds", 0.1, 86_400),
                values.number("--cps", 0.001, 1_000_000),
                values.whole("--seed", Long.MIN_VALUE, Long.MAX_VALUE),
                (int) values.whole("--background", 0, 10_000_000),
                values.number("--ipv6", 0, 1),
                values.number("--vlan", 0, 1),
                values.number("--tcp", 0, 1),
                values.number("--loss", 0, 1),
                values.number("--dup", 0, 1),
                values.number("--reorder", 0, 1),
                outcomes(values.text("--outcomes")));
        double packets = options.background
                + options.calls * (Math.max(1, options.seconds) * PACKETS_PER_SECOND + PACKETS_OF_SIP);
        if (packets > MOST_PACKETS) {
            throw new MisuseException("--calls " + options.calls + " of --seconds " + values.text("--seconds")
                    + " are about " + Math.round(packets) + " packets; the limit is " + MOST_PACKETS);
        }
        return options;
    }

    private static Map<DrawnOutcome, Double> outcomes(String text) throws MisuseException {
        Map<DrawnOutcome, Double> weights = new EnumMap<>(DrawnOutcome.class);
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            String name = colon < 0 ? part : part.substring(0, colon);
            List<DrawnOutcome> named = Arrays.stream(DrawnOutcome.values())
                    .filter(outcome -> outcome.label().equals(name))
                    .toList();
            if (colon < 0 || named.isEmpty()) {
                throw new MisuseException("--outcomes has \"" + part + "\", which is not NAME:WEIGHT; the names are "
                        + Arrays.stream(DrawnOutcome.values())
                                .map(DrawnOutcome::label)
                                .collect(Collectors.joining(", ")));
            }
            weights.put(named.getFirst(), Values.number("--outcomes " + name, part.substring(colon + 1), 0, 1_000_000));
        }
        if (weights.values().stream().mapToDouble(Double::doubleValue).sum() == 0) {
            throw new MisuseException("--outcomes " + text + " has no weight above 0");
        }
        return weights;
    }

    /** The values that were given, or else the defaults. */
    private record Values(Map<String, String> given) {
        String text(String option) {
            return given.getOrDefault(option, DEFAULTS.getOrDefault(option, ""));
        }

        long whole(String option, long least, long most) throws MisuseException {
            try {
                long value = Long.parseLong(text(option));
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException _) {
                // reported below
            }
            throw new MisuseException(
                    option + " " + text(option) + " is not a whole number from " + least + " to " + most);
        }

        double number(String option, double least, double most) throws MisuseException {
            return number(option, text(option), least, most);
        }

        static double number(String option, String text, double least, double most) throws MisuseException {
            try {
                double value = Double.parseDouble(text);
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException _) {
                // reported below
            }
            throw new MisuseException(
                    option + " " + text + " is not a number from " + limit(least) + " to " + limit(most));
        }

        /** Whole numbers without a fraction. */
        private static String limit(double value) {
            return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
        }
    }
}
