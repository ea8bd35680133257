package io.offhook.packet;

/** The result of a view's {@code wrap}. After {@link #OK} every accessor is in bounds. */
public enum WrapStatus {
    /** The whole header is there and its lengths make sense. */
    OK,
    /** The bytes end before the header does: cut by the snap length, or by the sender. */
    TRUNCATED,
    /** A field holds what it cannot: a length below the minimum, a wrong version. */
    MALFORMED,
    /** Well-formed as far as looked, but of a version or kind that is not known here. */
    UNSUPPORTED
}
