package io.offhook.packet;

/** The ranges that setters hold the values of header fields to. */
public final class FieldRange {
    private FieldRange() {}

    /**
     * Checks that a value is in 0 to {@code max}, both included.
     *
     * @throws IllegalArgumentException naming field, value and limit, when the value is not in 0 to {@code max}
     */
    public static void check(String field, long value, long max) {
        check(field, value, 0, max);
    }

    /**
     * Checks that a value is in {@code min} to {@code max}, both included.
     *
     * @throws IllegalArgumentException naming field, value and limits, when it is not
     */
    public static void check(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw outside(field, value, min, max);
        }
    }

    /**
     * Checks that a value is in {@code min} to {@code max}, both included, and a multiple of {@code unit}.
     *
     * @throws IllegalArgumentException naming field and value, when it is not
     */
    public static void checkMultiple(String field, int value, int min, int max, int unit) {
        check(field, value, min, max);
        if (value % unit != 0) {
            throw new IllegalArgumentException(field + " " + value + " is not a multiple of " + unit);
        }
    }

    /**
     * Checks that the header at hand has an optional field.
     *
     * @throws IllegalStateException naming the field, when the header at hand does not have it
     */
    public static void require(String field, boolean isThere) {
        if (!isThere) {
            throw new IllegalStateException(field + ": the header has no such field");
        }
    }

    // apart, so that the check is small enough to be inlined
    private static IllegalArgumentException outside(String field, long value, long min, long max) {
        return new IllegalArgumentException(field + " " + value + " is not in " + min + " to " + max);
    }
}
