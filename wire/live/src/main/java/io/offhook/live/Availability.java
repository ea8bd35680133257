package io.offhook.live;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a backend can capture from an interface or a device, here and now.
 *
 * @param needs what is missing, in the order in which to provide it; empty if nothing is
 */
public record Availability(List<Need> needs) {
    /** Nothing is missing. */
    public static final Availability USABLE = new Availability(List.of());

    /**
     * Something that is missing.
     *
     * @param what the obstacle: {@code the interface is down}
     * @param remedy what would help
     */
    public record Need(String what, CaptureRemedy remedy) {
        /** Creates a need that a system command removes. */
        public static Need of(String what, String command) {
            return new Need(what, new CaptureRemedy.Command(command));
        }
    }

    /** Copies the list. */
    public Availability {
        needs = List.copyOf(needs);
    }

    /** Returns that this is missing, without a remedy. */
    public static Availability without(String what) {
        return without(what, new CaptureRemedy.None());
    }

    /** Returns that this is missing. */
    public static Availability without(String what, CaptureRemedy remedy) {
        return new Availability(List.of(new Need(what, remedy)));
    }

    /** Returns whether the backend can capture. */
    public boolean isUsable() {
        return needs.isEmpty();
    }

    /** Returns everything that is missing, as part of a sentence; null if nothing is. */
    public @Nullable String missing() {
        return needs.isEmpty() ? null : needs.stream().map(Need::what).collect(Collectors.joining("; "));
    }
}
