package io.offhook.live;

import java.util.List;

/** What would remove an obstacle: a value, of which an application makes what its user is to do. */
public sealed interface CaptureRemedy {
    /** Nothing that is known here. */
    record None() implements CaptureRemedy {}

    /**
     * The process is given these capabilities, capabilities(7).
     *
     * @param names as the kernel has them: {@code CAP_NET_RAW}
     */
    record Capabilities(List<String> names) implements CaptureRemedy {
        /** Copies them. */
        public Capabilities {
            names = List.copyOf(names);
        }
    }

    /** Root runs the process. */
    record Root() implements CaptureRemedy {}

    /**
     * A command of the system, typed by whoever administers it.
     *
     * @param line for a shell: {@code sudo ip link set eth0 up}
     */
    record Command(String line) implements CaptureRemedy {}
}
