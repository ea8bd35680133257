package io.offhook.research.handover;

import io.offhook.research.Measurement;
import java.util.List;
import java.util.Locale;

/**
 * What the rounds of one technique came to.
 *
 * @param unit of each round
 * @param samples of which the figures are, where they are more than the rounds
 * @param more further remarks for the reader; the least and the most of the rounds without
 */
record RoundFigures(String unit, List<Double> rounds, int samples, String more) {
    Measurement measurement(String group, String technique) {
        double[] sorted =
                rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double median = sorted[sorted.length / 2];
        String note = more.isEmpty() ? range(sorted[0], sorted[sorted.length - 1]) : more;
        return new Measurement(group, technique, median, null, unit, Math.max(samples, sorted.length), note);
    }

    private String range(double least, double most) {
        String format = unit.equals("%") ? "%,.2f to %,.2f" : "%,.0f to %,.0f";
        return String.format(Locale.ROOT, format, least, most);
    }
}
