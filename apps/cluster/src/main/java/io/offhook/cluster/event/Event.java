package io.offhook.cluster.event;

/**
 * One thing that happened at a probe, and where it stands among all that this probe says.
 *
 * @param schema the release of the schema that its writer knew, 1 or more
 * @param origin the probe, and the event's number there
 * @param atNs when it happened, nanoseconds since the epoch
 * @param key what has to be together, see {@link EventKey}; 0 for what concerns the probe itself
 * @param body what happened
 * @param unknown fields of the envelope that this release does not know, encoded; passed on as they are
 */
public record Event(int schema, EventOrigin origin, long atNs, long key, EventBody body, Octets unknown) {
    /** The release of the schema that this code knows. */
    public static final int SCHEMA = 1;

    /** Checks the schema's number. */
    public Event {
        Limits.range("schema", schema, 1, Integer.MAX_VALUE);
    }

    /** An event of today's schema. */
    public Event(EventOrigin origin, long atNs, long key, EventBody body) {
        this(SCHEMA, origin, atNs, key, body, Octets.EMPTY);
    }
}
