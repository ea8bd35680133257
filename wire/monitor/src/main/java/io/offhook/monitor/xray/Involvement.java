package io.offhook.monitor.xray;

import java.util.ArrayList;
import java.util.List;

/**
 * Which threads take part in a gap, as far as that can be seen from outside: who ran when the answer was sent may have sent it, and who
 * ran when the message came in may have read it. A thread that is busy before, throughout and after the gap has most likely nothing to
 * do with it, unless no other could have sent the answer. A thread that was blocked on a monitor in the gap, neither before nor after,
 * takes part too: it may have stood between the two.
 */
final class Involvement {
    /** A long run is accounted at each tick of the kernel's clock, of which there are 100 a second at least. */
    private static final long TICK_NS = 10_000_000L;

    /** How far a turn may have been laid from where it was. */
    private static final long BLUR_NS = 2_000_000L;

    private Involvement() {}

    /** The threads that take part, those that may have sent the answer first. */
    static List<ThreadTrack> of(Evidence evidence, Gap gap) {
        long cameNs = sampleAfter(evidence, gap.fromNs());
        long sentNs = sampleAfter(evidence, gap.toNs());
        List<ThreadTrack> senders = new ArrayList<>();
        List<ThreadTrack> readers = new ArrayList<>();
        for (ThreadTrack track : evidence.threads.values()) {
            if (hasRunAt(track, gap.toNs(), sentNs)) {
                senders.add(track);
            } else if (hasRunAt(track, gap.fromNs(), cameNs) || isBlockedWithin(track, gap)) {
                readers.add(track);
            }
        }
        List<ThreadTrack> all = new ArrayList<>(senders);
        all.removeIf(track -> isBeside(track, gap));
        if (all.isEmpty()) {
            all.addAll(senders);
        }
        readers.stream().filter(track -> !isBeside(track, gap)).forEach(all::add);
        return all;
    }

    /** The end of the second sample from a moment on: until then, all runs up to this moment are accounted. */
    private static long sampleAfter(Evidence evidence, long ns) {
        long[] end = {ns};
        int[] count = new int[1];
        evidence.samples.overlapping(
                ns, ns + 2 * Evidence.MOST_STRETCH_NS, (_, toNs, _) -> end[0] = count[0]++ < 2 ? toNs : end[0]);
        return end[0];
    }

    /** Whether a thread may have run at a moment: its run goes over it, or was accounted in the sample that it is in. */
    private static boolean hasRunAt(ThreadTrack track, long ns, long sampledNs) {
        return track.hasRun(ns - BLUR_NS, sampledNs);
    }

    private static boolean isBeside(ThreadTrack track, Gap gap) {
        return track.isBusy(gap.fromNs() - TICK_NS, gap.fromNs())
                && track.isBusy(gap.fromNs(), gap.toNs())
                && track.isBusy(gap.toNs(), gap.toNs() + TICK_NS);
    }

    private static boolean isBlockedWithin(ThreadTrack track, Gap gap) {
        boolean[] is = new boolean[1];
        track.activities.overlapping(
                gap.fromNs(),
                gap.toNs(),
                (fromNs, toNs, activity) -> is[0] |= activity == Activity.MONITOR
                        && fromNs >= gap.fromNs() - TICK_NS
                        && toNs <= gap.toNs() + TICK_NS);
        return is[0];
    }
}
