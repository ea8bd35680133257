package io.offhook.sip.registrar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A phone that a request can be sent to. The Request-URI is the {@link Binding#contact}, the Route is the
 * {@link Binding#path}, and where there is a {@link Binding#flowToken}, the request goes by that flow.
 *
 * @param binding the binding to try
 * @param others further bindings of the same phone, newest first: tried one after the other when the first cannot be
 *     reached, and never beside it (RFC 5626, 7)
 */
public record RegisteredTarget(Binding binding, List<Binding> others) {
    private static final Comparator<Binding> NEWEST_FIRST =
            Comparator.comparingLong(Binding::updatedAtMs).reversed();
    private static final Comparator<RegisteredTarget> BEST_FIRST = Comparator.<RegisteredTarget>comparingInt(
                    target -> -target.binding().q())
            .thenComparing(RegisteredTarget::binding, NEWEST_FIRST);

    /** Copies the list. */
    public RegisteredTarget {
        others = List.copyOf(others);
    }

    /**
     * The targets among the bindings of an address of record: by q, the highest first, then the newest (RFC 3261, 16.6).
     *
     * @param bindings all bindings; expired ones are left out
     * @param gruu the GRUU that was called, which selects one phone; null for the address of record itself
     * @param nowMs the time in ms since the epoch
     */
    public static List<RegisteredTarget> of(List<Binding> bindings, @Nullable Gruu gruu, long nowMs) {
        Map<String, List<Binding>> phones = new LinkedHashMap<>();
        int nameless = 0;
        for (Binding binding : bindings.stream().sorted(NEWEST_FIRST).toList()) {
            boolean isMeant = gruu == null || gruu.leadsTo(binding);
            if (binding.expiresAtMs() > nowMs && isMeant) {
                String instance = binding.instance();
                String phone = instance.isEmpty() ? String.valueOf(nameless++) : instance.toLowerCase(Locale.ROOT);
                phones.computeIfAbsent(phone, name -> new ArrayList<>()).add(binding);
            }
        }
        List<RegisteredTarget> targets = new ArrayList<>(phones.size());
        for (List<Binding> phone : phones.values()) {
            targets.add(new RegisteredTarget(phone.getFirst(), phone.subList(1, phone.size())));
        }
        targets.sort(BEST_FIRST);
        return targets;
    }

    /** The preference in thousandths, 0 to 1000. */
    public int q() {
        return binding.q();
    }
}
