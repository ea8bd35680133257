package io.offhook.config;

/**
 * What is wrong at one place of a configuration.
 *
 * @param place where
 * @param text what, and what would be right
 */
public record ConfigFault(ConfigPlace place, String text) {
    /** {@code forward.yaml:3:9: ports[0].queues: 70000 is outside 1 to 64}. */
    @Override
    public String toString() {
        return place + ": " + (place.path().isEmpty() ? "" : place.path() + ": ") + text;
    }
}
