package io.offhook.audio;

import io.offhook.calls.Side;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What became of the time of one channel: times on the axis, in nanoseconds from its beginning. */
final class ChannelTimes {
    private static final double NS_PER_MS = 1e6;

    final Ranges played = new Ranges();
    final Ranges lost = new Ranges();
    final Ranges discarded = new Ranges();
    final Ranges unreadable = new Ranges();

    /**
     * The marks of a range, by time. A time is marked once: what another stream played is not missing, and what came too late
     * was not lost.
     */
    List<AudioMark> marks(Side side, long fromNs, long untilNs) {
        Ranges heard = played.sorted();
        Ranges late = discarded.sorted().without(heard);
        Ranges closed = unreadable.sorted().without(heard).without(late);
        Ranges missing = lost.sorted().without(heard).without(late).without(closed);
        Ranges all = new Ranges();
        all.add(fromNs, untilNs);
        Ranges silent = all.without(heard).without(late).without(closed).without(missing);
        List<AudioMark> marks = new ArrayList<>();
        add(marks, side, AudioMark.Kind.LOST, missing, fromNs, untilNs);
        add(marks, side, AudioMark.Kind.DISCARDED, late, fromNs, untilNs);
        add(marks, side, AudioMark.Kind.UNREADABLE, closed, fromNs, untilNs);
        add(marks, side, AudioMark.Kind.SILENCE, silent, fromNs, untilNs);
        marks.sort(Comparator.comparingDouble(AudioMark::fromMs));
        return marks;
    }

    private static void add(
            List<AudioMark> marks, Side side, AudioMark.Kind kind, Ranges ranges, long fromNs, long untilNs) {
        for (int i = 0; i < ranges.count(); i++) {
            long from = Math.max(fromNs, ranges.from(i));
            long until = Math.min(untilNs, ranges.until(i));
            if (from < until) {
                marks.add(new AudioMark(side, kind, (from - fromNs) / NS_PER_MS, (until - fromNs) / NS_PER_MS));
            }
        }
    }

    long dropped() {
        return played.dropped() + lost.dropped() + discarded.dropped() + unreadable.dropped();
    }
}
