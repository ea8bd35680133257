package io.offhook.cli.command;

import java.util.Arrays;

/** The frame numbers of {@code --frames}, such as "1-10,17,100-". Ranges may overlap; frames count from 1. */
public final class FrameRanges {
    private static final int MOST_RANGES = 65_536;

    /** First and last frame of each range, in ascending order, with gaps between ranges. */
    private final long[] bounds;

    private int at;
    private long asked;

    private FrameRanges(long[] bounds) {
        this.bounds = bounds;
    }

    public static FrameRanges of(String text) {
        String[] parts = text.split(",", -1);
        if (parts.length > MOST_RANGES) {
            throw new MisuseException("--frames has " + parts.length + " ranges; the limit is " + MOST_RANGES);
        }
        long[][] ranges = new long[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            ranges[i] = range(parts[i].strip());
        }
        Arrays.sort(ranges, (one, other) -> Long.compare(one[0], other[0]));
        long[] bounds = new long[2 * ranges.length];
        int count = 0;
        for (long[] range : ranges) {
            if (count > 0 && range[0] <= bounds[count - 1] + 1) {
                bounds[count - 1] = Math.max(bounds[count - 1], range[1]);
            } else {
                bounds[count++] = range[0];
                bounds[count++] = range[1];
            }
        }
        return new FrameRanges(Arrays.copyOf(bounds, count));
    }

    private static long[] range(String text) {
        if (!text.matches("[0-9]{1,18}(-([0-9]{1,18})?)?")) {
            throw new MisuseException(
                    "--frames " + text + " is not a range; examples: 17, 1-10, 100-; separate several by commas");
        }
        int dash = text.indexOf('-');
        long first = Long.parseLong(dash < 0 ? text : text.substring(0, dash));
        boolean isOpen = dash == text.length() - 1;
        // one less than the largest, so that one can be added
        long last = dash < 0 ? first : isOpen ? Long.MAX_VALUE - 1 : Long.parseLong(text.substring(dash + 1));
        if (first < 1 || last < first) {
            throw new MisuseException("--frames " + text + " is empty; packets are numbered from 1");
        }
        return new long[] {first, last};
    }

    /** @param number ascending from call to call */
    public boolean contains(long number) {
        if (number < asked) {
            at = 0;
        }
        asked = number;
        while (at < bounds.length && number > bounds[at + 1]) {
            at += 2;
        }
        return at < bounds.length && number >= bounds[at];
    }

    /** The largest number in any range. */
    public long last() {
        return bounds[bounds.length - 1];
    }
}
