package io.offhook.live;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a backend can capture from an interface or a device, here and now.
 *
 * @param needs what keeps it from that, in the order in which it is done; none where it works
 */
public record Availability(List<Need> needs) {
    /** Nothing is missing. */
    public static final Availability USABLE = new Availability(List.of());

    /**
     * Something that is missing.
     *
     * @param what it is: {@code the interface is down}
     * @param remedy what would help
     */
    public record Need(String what, CaptureRemedy remedy) {
        /** One that a command of the system helps with. */
        public static Need of(String what, String command) {
            return new Need(what, new CaptureRemedy.Command(command));
        }
    }

    /** Copies them. */
    public Availability {
        needs = List.copyOf(needs);
    }

    /** That this is missing, and nothing helps. */
    public static Availability without(String what) {
        return without(what, new CaptureRemedy.None());
    }

    /** That this is missing. */
    public static Availability without(String what, CaptureRemedy remedy) {
        return new Availability(List.of(new Need(what, remedy)));
    }

    /** Whether it works. */
    public boolean isUsable() {
        return needs.isEmpty();
    }

    /** All that is missing, as a sentence has it; null where it works. */
    public @Nullable String missing() {
        return needs.isEmpty() ? null : needs.stream().map(Need::what).collect(Collectors.joining("; "));
    }
}
