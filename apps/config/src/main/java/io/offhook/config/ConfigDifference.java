package io.offhook.config;

/**
 * A key, or an item of a list, that differs between two configurations.
 *
 * @param before its value, as it was written, or its default; empty where there was none
 * @param after likewise, of the later configuration
 * @param beforePlace where it stood, or the section that it was missing in
 * @param place where it stands, or the section that it is missing in
 * @param mayChange whether it may change while the program runs
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
