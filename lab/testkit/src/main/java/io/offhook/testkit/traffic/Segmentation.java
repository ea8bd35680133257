package io.offhook.testkit.traffic;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * How a TCP sender cuts its bytes into segments, and what becomes of them on the way to the tap.
 *
 * @param cuts where the bytes are cut, ascending, without 0 and their length
 * @param fate of the segments
 */
public record Segmentation(List<Integer> cuts, Fate fate) {
    /** What happens to the segments of one send. */
    public enum Fate {
        IN_ORDER,
        /** The first two arrive in the wrong order. */
        REORDERED,
        /** All of them are captured again 210 ms later, in one segment. */
        RETRANSMITTED,
        /** The first one is lost before the tap and captured only when it is sent again, 210 ms later. */
        LATE,
        /** The first one is never captured, though the receiver got it: a hole. */
        HOLE
    }

    /** How the messages of a stream are cut into segments, one after the other. */
    @FunctionalInterface
    public interface Rule {
        /** @param number of the message in the connection, from 0 */
        Segmentation cut(Random random, int number, int length);
    }

    /** One segment. */
    public static Segmentation whole() {
        return new Segmentation(List.of(), Fate.IN_ORDER);
    }

    /** Segments of at most {@code bytes}. */
    public static Segmentation every(int bytes, int length) {
        return new Segmentation(
                IntStream.rangeClosed(1, Math.max(0, (length - 1) / bytes))
                        .map(i -> i * bytes)
                        .boxed()
                        .toList(),
                Fate.IN_ORDER);
    }

    /** {@code count} random cuts, fewer where two fall together. */
    public static Segmentation random(Random random, int length, int count) {
        List<Integer> cuts = length < 2
                ? List.of()
                : random.ints(count, 1, length).sorted().distinct().boxed().toList();
        return new Segmentation(cuts, Fate.IN_ORDER);
    }

    public Segmentation with(Fate changed) {
        return new Segmentation(cuts, changed);
    }
}
