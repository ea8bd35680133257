package io.offhook.cli.threads;

import io.offhook.report.text.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The marks of a time axis: whole seconds, minutes, hours or days of the clock on the wall. */
final class PlotAxis {
    private static final long NS_A_SECOND = 1_000_000_000L;
    private static final int MINUTE = 60;
    private static final int DAY = 86_400;
    private static final int MOST = 10;
    private static final int[] STEPS = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, DAY, 2 * DAY, 7 * DAY
    };

    private PlotAxis() {}

    /** A mark. */
    record Mark(long atNs, String text) {}

    static List<Mark> marks(long fromNs, long toNs, Times times) {
        long seconds = Math.max(1, (toNs - fromNs) / NS_A_SECOND);
        long step = STEPS[STEPS.length - 1];
        for (int candidate : STEPS) {
            if (seconds / candidate <= MOST) {
                step = candidate;
                break;
            }
        }
        while (seconds / step > MOST) {
            step *= 2;
        }
        long zone = times.zone()
                .getRules()
                .getOffset(Instant.ofEpochSecond(fromNs / NS_A_SECOND))
                .getTotalSeconds();
        List<Mark> marks = new ArrayList<>();
        long first = Math.ceilDiv(fromNs / NS_A_SECOND + zone, step) * step - zone;
        for (long at = first; at * NS_A_SECOND <= toNs; at += step) {
            if (at * NS_A_SECOND >= fromNs) {
                marks.add(new Mark(at * NS_A_SECOND, text(at, step, zone, times)));
            }
        }
        return marks;
    }

    /** "14:03:07", "14:03"; at midnight the day. */
    private static String text(long at, long step, long zone, Times times) {
        long ns = at * NS_A_SECOND;
        if (step >= DAY || step >= MINUTE && Math.floorMod(at + zone, (long) DAY) == 0) {
            return times.date(ns).toString();
        }
        return times.timeOfDay(ns).substring(0, step < MINUTE ? "14:03:07".length() : "14:03".length());
    }
}
