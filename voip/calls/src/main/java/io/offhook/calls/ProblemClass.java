package io.offhook.calls;

import java.util.Locale;

/** How much a problem matters. */
public enum ProblemClass {
    /** The service failed: what {@code --bad} is about. */
    SERVICE,
    /** What happens in a service that works: a busy line, a caller who gives up. */
    NORMAL,
    /** What is worth knowing, but was not noticed, or cannot be judged from this capture. */
    NOTE;

    /** The name in JSON: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
