package io.offhook.cli.reproduce;

import java.util.Arrays;

/**
 * Maps times of a capture to times of the scenario, in which a pause between two messages is no longer than a limit: what came
 * later in it is not played.
 */
final class Timeline {
    private final long[] capturedNs;
    private final long[] playedNs;
    private final long longestNs;

    /**
     * @param capturedNs when messages of the leg were captured, ascending; one or more
     * @param longestNs the longest pause, nanoseconds
     */
    Timeline(long[] capturedNs, long longestNs) {
        this.capturedNs = capturedNs.clone();
        this.longestNs = longestNs;
        playedNs = new long[capturedNs.length];
        for (int i = 1; i < capturedNs.length; i++) {
            long gapNs = Math.max(0, capturedNs[i] - capturedNs[i - 1]);
            playedNs[i] = playedNs[i - 1] + Math.min(gapNs, longestNs);
        }
    }

    /** When a captured moment is played, nanoseconds from the first message; -1 if it is not: it is before it or in what was cut. */
    long playedNs(long atNs) {
        int found = Arrays.binarySearch(capturedNs, atNs);
        int before = found >= 0 ? found : -found - 2;
        if (before < 0) {
            return -1;
        }
        long intoNs = atNs - capturedNs[before];
        return intoNs > longestNs ? -1 : playedNs[before] + intoNs;
    }

    /** When the last message is played. */
    long endNs() {
        return playedNs[playedNs.length - 1];
    }
}
