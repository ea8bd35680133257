package io.offhook.config;

/**
 * A key, or an item of a list, that differs between two configurations.
 *
 * @param before the earlier value as written, or its default; empty if there was none
 * @param after the later value, likewise
 * @param beforePlace the place of the earlier value, or of the section from which it was missing
 * @param place the place of the later value, or of the section from which it is missing
 * @param mayChange whether the value may change while the program runs
 */
public record ConfigDifference(
        String before, String after, ConfigPlace beforePlace, ConfigPlace place, boolean mayChange) {
    /** {@code forward.yaml:3:9: ports[0].interface: eth2; it was eth1 in line 3}. */
    @Override
    public String toString() {
        String was = beforePlace.line() == 0 ? beforePlace.source() : "line " + beforePlace.line();
        String text = after.isEmpty()
                ? "is gone; it was " + before + " in " + was
                : before.isEmpty() ? after + " is new" : after + "; it was " + before + " in " + was;
        return new ConfigFault(place, text).toString();
    }
}
