package io.offhook.web.data;

import org.jspecify.annotations.Nullable;

/**
 * A file that is read, or an interface or port that is listened to.
 *
 * @param name path, interface or address
 * @param kind what it is
 * @param state how far it is
 * @param percent of a file, how much of it was read, 0 to 100; else NaN
 * @param counts what was read, and what was not
 * @param message what went wrong, or null
 */
public record InputState(
        String name,
        Kind kind,
        State state,
        double percent,
        Counts counts,
        @Nullable String message) {
    /** Packets read so far. */
    public long packets() {
        return counts.packets;
    }

    /** The bytes of these, as captured. */
    public long bytes() {
        return counts.bytes;
    }

    /**
     * What was read of an input, and what was not.
     *
     * @param packets read so far
     * @param bytes of these, as captured
     * @param kernelDrops packets that the kernel or the driver dropped
     * @param ringDrops packets that arrived while the ring was full
     * @param wrongKey packets of agents that were refused, as they have no authentication key or a wrong one
     * @param malformed packets of agents that were refused for any other reason
     */
    public record Counts(long packets, long bytes, long kernelDrops, long ringDrops, long wrongKey, long malformed) {
        /** Nothing was read. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

        /** What was read of something that drops nothing, such as a file. */
        public static Counts read(long packets, long bytes) {
            return new Counts(packets, bytes, 0, 0, 0, 0);
        }
    }

    /** What packets come from. */
    public enum Kind {
        /** A capture file. */
        FILE,
        /** A network interface. */
        LIVE,
        /** Agents that send HEP. */
        HEP
    }

    /** How far an input is. */
    public enum State {
        /** A file is being read. */
        READING,
        /** Packets are awaited. */
        LISTENING,
        /** It was read, or it was stopped. */
        DONE,
        /** It cannot be read, or no longer. */
        FAILED
    }
}
