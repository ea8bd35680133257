package io.offhook.cli.threads;

import io.offhook.monitor.JavaState;
import io.offhook.monitor.StateTimes;

/** How long a thread was in the states of Java, by columns of a plot: in each, the shares of the readings in it. */
final class PlotStates {
    private static final JavaState[] STATES = JavaState.values();

    private final double[][] sums;
    private final double[] all;

    PlotStates(int count) {
        sums = new double[count][STATES.length];
        all = new double[count];
    }

    void add(int from, int to, StateTimes times) {
        if (times.elapsedNs() == 0) {
            return;
        }
        for (int column = from; column <= to; column++) {
            for (int i = 0; i < STATES.length; i++) {
                sums[column][i] += times.share(STATES[i]);
            }
            all[column]++;
        }
    }

    /** Whether it runs Java code. */
    boolean isKnown() {
        for (double column : all) {
            if (column > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Heights of the states in a column, from the bottom, in the order of {@link JavaState}: what ends above the whole, or
     * begins there, is cut.
     *
     * @param height of the whole, in pixels
     * @return where each state ends, whole pixels; all 0 if nothing is known
     */
    int[] ends(int column, int height) {
        int[] ends = new int[STATES.length];
        double sum = 0;
        for (int i = 0; i < STATES.length && all[column] > 0; i++) {
            sum += sums[column][i] / all[column];
            ends[i] = (int) Math.min(height, Math.round(sum * height));
        }
        return ends;
    }
}
