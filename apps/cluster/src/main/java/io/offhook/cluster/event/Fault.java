package io.offhook.cluster.event;

/**
 * The probe failed at a packet or a report, and went on.
 *
 * @param what the name of the counter, as {@code offhook} prints it
 * @param where the exception, and where it was thrown
 * @param frame of the packet, counted by the probe; 0 if there is none
 * @param unknown what this release does not know of it
 */
public record Fault(String what, String where, long frame, Octets unknown) implements EventBody {
    /** Checks sizes and ranges; {@link Limits#cut} makes texts short enough. */
    public Fault {
        Limits.text("what", what, Limits.NAME);
        Limits.text("where", where, Limits.TEXT);
        Limits.count("frame", frame);
    }
}
