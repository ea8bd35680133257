package io.offhook.research.handover;

import io.offhook.research.Measurement;
import java.util.List;
import java.util.Locale;

/**
 * The figures of the rounds of one technique.
 *
 * @param unit of each round
 * @param samples the number of samples, if it is higher than the number of rounds
 * @param more further remarks for the reader, in addition to the minimum and maximum of the rounds
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
