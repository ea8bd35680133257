package io.offhook.report.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How times are written for programs, {@code --time}. Both keep nanoseconds. */
public enum TimeForm {
    /** "1700000000.123456789": seconds since the epoch. */
    EPOCH,
    /** "2023-11-14T22:13:20.123456789Z": ISO 8601, UTC. */
    ISO;

    private static final long NANOS = 1_000_000_000L;

    /**
     * A time in this form.
     *
     * @param ns nanoseconds since the epoch
     */
    public String text(long ns) {
        return switch (this) {
            case EPOCH -> Times.epoch(ns);
            case ISO ->
                IsoFormat.NINE_DECIMALS.format(
                        Instant.ofEpochSecond(Math.floorDiv(ns, NANOS), Math.floorMod(ns, NANOS)));
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Loaded only where it is asked for: it takes long. */
    private static final class IsoFormat {
        private static final DateTimeFormatter NINE_DECIMALS = DateTimeFormatter.ofPattern(
                        "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);
    }
}
