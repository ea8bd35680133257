package io.offhook.config;

/**
 * A fault at one place of a configuration.
 *
 * @param place where the fault is
 * @param text what is wrong, and what is expected
 */
public record ConfigFault(ConfigPlace place, String text) {
    /** For example {@code forward.yaml:3:9: ports[0].queues: 70000 is outside 1 to 64}. */
    @Override
    public String toString() {
        return place + ": " + (place.path().isEmpty() ? "" : place.path() + ": ") + text;
    }
}
