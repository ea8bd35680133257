package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses and formats numbers as the kernel writes them. */
final class Numbers {
    /** The most processors that Linux supports. */
    private static final int MOST_PROCESSORS = 8192;

    private Numbers() {}

    /** A decimal number, up to 64 bits unsigned; null if the text is not a number. */
    static @Nullable Long parse(String text) {
        try {
            return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** As {@link #parse}, but 0 if the text is not a number. */
    static long orZero(String text) {
        Long number = parse(text);
        return number == null ? 0 : number;
    }

    /** A hexadecimal number; 0 if the text is not one. */
    static long hex(String text) {
        try {
            return Long.parseUnsignedLong(text, 16);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The words of a line, separated by blanks. */
    static String[] words(String line) {
        return line.strip().split("\\s+", -1);
    }

    /** Parses {@code 0-3,8} to the numbers it contains. */
    static List<Integer> list(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : text.strip().split(",", -1)) {
            int dash = range.indexOf('-');
            Long first = parse(dash < 0 ? range : range.substring(0, dash));
            Long last = parse(dash < 0 ? range : range.substring(dash + 1));
            if (first == null || last == null || first < 0 || last >= MOST_PROCESSORS) {
                continue;
            }
            for (long i = first; i <= last; i++) {
                numbers.add((int) i);
            }
        }
        return numbers;
    }

    /** Formats numbers as ranges: {@code 0-3,8}. */
    static String ranges(List<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            int first = i;
            while (i + 1 < numbers.size() && numbers.get(i + 1) == numbers.get(i) + 1) {
                i++;
            }
            text.append(text.isEmpty() ? "" : ",").append(numbers.get(first));
            if (i > first) {
                text.append('-').append(numbers.get(i));
            }
        }
        return text.toString();
    }

    /** Formats processors as a mask for rps_cpus: 32 processors per group, the highest group first. */
    static String mask(List<Integer> processors) {
        int highest = processors.stream().mapToInt(Integer::intValue).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (int group = highest / 32; group >= 0; group--) {
            int bits = 0;
            for (int processor : processors) {
                if (processor / 32 == group) {
                    bits |= 1 << processor % 32;
                }
            }
            text.append(text.isEmpty() ? Integer.toHexString(bits) : "," + "%08x".formatted(bits));
        }
        return text.toString();
    }

    /** {@code 1 queue}, {@code 1,204 queues}. */
    static String count(long number, String noun) {
        return grouped(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** Formats {@code 212992} as {@code 212,992}. */
    static String grouped(long number) {
        StringBuilder text = new StringBuilder(Long.toString(number));
        for (int i = text.length() - 3; i > (number < 0 ? 1 : 0); i -= 3) {
            text.insert(i, ',');
        }
        return text.toString();
    }
}
