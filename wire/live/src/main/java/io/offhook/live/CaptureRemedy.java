package io.offhook.live;

import java.util.List;

/** What would remove an obstacle, as data: the application words the advice to its user. */
public sealed interface CaptureRemedy {
    /** No remedy is known. */
    record None() implements CaptureRemedy {}

    /**
     * The process needs these capabilities, see capabilities(7).
     *
     * @param names the names in the kernel: {@code CAP_NET_RAW}
     */
    record Capabilities(List<String> names) implements CaptureRemedy {
        /** Copies the list. */
        public Capabilities {
            names = List.copyOf(names);
        }
    }

    /** The process must run as root. */
    record Root() implements CaptureRemedy {}

    /**
     * A system command for the administrator.
     *
     * @param line the command line for a shell: {@code sudo ip link set eth0 up}
     */
    record Command(String line) implements CaptureRemedy {}
}
