package io.offhook.report;

import io.offhook.calls.registration.Registration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** How a registration ended, as commands, database and page say it. */
public enum RegistrationOutcome {
    /** A 2xx. */
    REGISTERED,
    /** A 2xx for a request that ends the registration. */
    REMOVED,
    /** A 401 or 407 to a request without credentials that none followed. */
    CHALLENGED,
    /** Any other final response. */
    REJECTED,
    /** No final response. */
    UNANSWERED,
    /** A 2xx, and no final response to the request that was to refresh the binding in time. */
    EXPIRED;

    /** The outcome as of a time, nanoseconds since the epoch: that of the end of the capture. */
    public static RegistrationOutcome of(Registration registration, long nowNs) {
        if (registration.isExpired(nowNs)) {
            return EXPIRED;
        }
        int status = registration.finalStatus();
        if (status == 0) {
            return UNANSWERED;
        }
        if (status / 100 == 2) {
            return registration.expiresSeconds() == 0 ? REMOVED : REGISTERED;
        }
        return registration.isRejected() ? REJECTED : CHALLENGED;
    }

    /** The name in JSON and tables: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All labels, sorted. */
    public static Set<String> labels() {
        Set<String> labels = new TreeSet<>();
        for (RegistrationOutcome outcome : values()) {
            labels.add(outcome.label());
        }
        return labels;
    }
}
