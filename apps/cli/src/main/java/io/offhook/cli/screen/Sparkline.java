package io.offhook.cli.screen;

/** Values over time as one line of signs, higher ones for greater values. */
final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String ASCII = "_.-:=+*#";
    /** Where there is no value. */
    private static final char NONE = ' ';

    private Sparkline() {}

    /**
     * Draws values between two limits; values beyond them look like the limits.
     *
     * @param values NaN for none
     * @param width the most signs; several values share one if there are more, and the worst of them is shown
     * @param isWorstLow whether the lowest is the worst
     */
    static String of(double[] values, int width, double low, double high, boolean isWorstLow, boolean unicode) {
        String signs = unicode ? BLOCKS : ASCII;
        int count = Math.min(width, values.length);
        StringBuilder line = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) i * values.length / count);
            int until = (int) ((long) (i + 1) * values.length / count);
            double worst = worst(values, from, until, isWorstLow);
            if (Double.isNaN(worst)) {
                line.append(NONE);
            } else {
                double share = high > low ? (worst - low) / (high - low) : 0;
                line.append(signs.charAt(Math.clamp(Math.round(share * (signs.length() - 1)), 0, signs.length() - 1)));
            }
        }
        return line.toString();
    }

    private static double worst(double[] values, int from, int until, boolean isWorstLow) {
        double worst = Double.NaN;
        for (int i = from; i < until; i++) {
            boolean isWorse = isWorstLow ? values[i] < worst : values[i] > worst;
            worst = Double.isNaN(worst) || isWorse ? values[i] : worst;
        }
        return worst;
    }
}
