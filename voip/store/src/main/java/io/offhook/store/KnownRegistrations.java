package io.offhook.store;

import io.offhook.calls.RegistrationProblems;
import io.offhook.calls.registration.Registration;
import io.offhook.report.RegistrationOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Knows how registrations were given the last time. One that was forgotten is written once more, which changes nothing. */
final class KnownRegistrations {
    private static final int LIMIT = 1 << 17;

    private final Map<Long, Standing> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Standing> eldest) {
            return size() > LIMIT;
        }
    };

    private record Standing(long lastNs, int requests, RegistrationOutcome outcome, int problems) {}

    synchronized List<RegistrationRow> changed(Collection<Registration> all, long nowNs, String source) {
        List<RegistrationRow> changed = new ArrayList<>();
        for (Registration registration : all) {
            long id = Ids.registration(registration);
            Standing standing = new Standing(
                    registration.lastNs(),
                    registration.requests(),
                    RegistrationOutcome.of(registration, nowNs),
                    RegistrationProblems.of(registration, nowNs).size());
            if (!standing.equals(known.put(id, standing))) {
                changed.add(new RegistrationRow(id, source, registration, nowNs));
            }
        }
        return changed;
    }
}
