package io.offhook.flow.state;

/** Rejects settings that are out of range, naming the setting, its value and the limits. */
public final class Require {
    private Require() {}

    public static void inRange(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " " + value + " is not in " + low + " to " + high);
        }
    }

    public static void oneOf(String name, int value, int one, int other) {
        if (value != one && value != other) {
            throw new IllegalArgumentException(name + " " + value + " is neither " + one + " nor " + other);
        }
    }
}
