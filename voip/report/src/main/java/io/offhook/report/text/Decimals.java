package io.offhook.report.text;

/** Numbers with a fixed number of decimals, the same in every locale. */
public final class Decimals {
    private static final long[] POWERS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000};

    private Decimals() {}

    /**
     * Formats a number, rounded half up (away from zero), without exponent: {@code text(2.5, 2)} is "2.50".
     *
     * @param value finite
     * @param decimals 0 to 6
     */
    public static String text(double value, int decimals) {
        double scaled = Math.abs(value) * POWERS[decimals];
        if (scaled >= 1L << 53) {
            return new java.math.BigDecimal(value)
                    .setScale(decimals, java.math.RoundingMode.HALF_UP)
                    .toPlainString();
        }
        long units = (long) (scaled + 0.5);
        StringBuilder text = new StringBuilder(16);
        if (value < 0 && units > 0) {
            text.append('-');
        }
        text.append(units / POWERS[decimals]);
        if (decimals > 0) {
            text.append('.');
            long fraction = units % POWERS[decimals];
            for (int i = decimals - 1; i >= 0; i--) {
                text.append((char) ('0' + fraction / POWERS[i] % 10));
            }
        }
        return text.toString();
    }

    /** As {@link #text}, without trailing zeros: "2.5", "2". */
    public static String shortest(double value, int decimals) {
        String text = text(value, decimals);
        int end = text.length();
        if (decimals > 0) {
            while (text.charAt(end - 1) == '0') {
                end--;
            }
            end -= text.charAt(end - 1) == '.' ? 1 : 0;
        }
        return text.substring(0, end);
    }

    /** Digits in groups of three: "12,345". */
    public static String grouped(long value) {
        StringBuilder text = new StringBuilder(Long.toString(value));
        for (int i = text.length() - 3; i > (value < 0 ? 1 : 0); i -= 3) {
            text.insert(i, ',');
        }
        return text.toString();
    }
}
