package io.offhook.sip.registrar;

import io.offhook.sip.SipUri;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Applies a REGISTER to the bindings of its address of record (RFC 3261, 10.3 steps 6 to 8): all of it, or nothing.
 * Immutable; any thread may call it. Who may register whom is decided before.
 */
public final class RegistrarRules {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final RegistrarPolicy policy;
    private final @Nullable Gruus gruus;

    /**
     * Creates rules.
     *
     * @param policy what is granted
     * @param gruus makes GRUUs for phones that support them; null if there are to be none
     */
    public RegistrarRules(RegistrarPolicy policy, @Nullable Gruus gruus) {
        this.policy = policy;
        this.gruus = gruus;
    }

    /**
     * Applies a request.
     *
     * @param request the request
     * @param current the bindings that its address of record has; expired ones count as absent
     * @param nowMs the time in ms since the epoch
     */
    public RegisterOutcome apply(RegisterRequest request, List<Binding> current, long nowMs) {
        RegisterOutcome refusal = request.refusal();
        if (refusal != null) {
            return refusal;
        }
        List<Binding> bindings = new ArrayList<>(current);
        bindings.removeIf(binding -> binding.expiresAtMs() <= nowMs);
        if (request.contacts().isEmpty() && !request.isStar()) {
            return new RegisterOutcome(RegisterFinding.QUERIED, headers(request, bindings, nowMs), null);
        }
        if (request.isStar()) {
            if (bindings.stream().anyMatch(binding -> isOutOfOrder(request, binding))) {
                return RegisterOutcome.refused(RegisterFinding.OUT_OF_ORDER);
            }
            return new RegisterOutcome(RegisterFinding.CLEARED, headers(request, List.of(), nowMs), List.of());
        }
        for (RequestedContact contact : request.contacts()) {
            RegisterOutcome refused = apply(request, contact, bindings, nowMs);
            if (refused != null) {
                return refused;
            }
        }
        // one who had more under an older limit may still remove and refresh
        if (bindings.size() > Math.max(policy.maxBindings(), current.size())) {
            return RegisterOutcome.refused(RegisterFinding.TOO_MANY);
        }
        return new RegisterOutcome(RegisterFinding.UPDATED, headers(request, bindings, nowMs), bindings);
    }

    private @Nullable RegisterOutcome apply(
            RegisterRequest request, RequestedContact contact, List<Binding> bindings, long nowMs) {
        List<Binding> replaced = bindings.stream()
                .filter(binding -> isSame(request, contact, binding))
                .toList();
        if (replaced.stream().anyMatch(binding -> isOutOfOrder(request, binding))) {
            return RegisterOutcome.refused(RegisterFinding.OUT_OF_ORDER);
        }
        long asked = request.asked(contact);
        if (asked > 0 && asked < policy.minExpiresS()) {
            return RegisterOutcome.refused(RegisterFinding.TOO_BRIEF, "Min-Expires: " + policy.minExpiresS());
        }
        bindings.removeAll(replaced);
        if (asked == 0) {
            return null;
        }
        long granted = asked < 0 ? policy.defaultExpiresS() : Math.min(asked, policy.maxExpiresS());
        RequestedContact kept = request.usesOutbound(contact) ? contact : contact.withoutRegId();
        bindings.add(Binding.of(request, kept, nowMs + granted * 1000, nowMs));
        return null;
    }

    private static boolean isOutOfOrder(RegisterRequest request, Binding binding) {
        return binding.callId().equals(request.callId()) && request.cseq() <= binding.cseq();
    }

    /**
     * Whether a contact takes the place of a binding. A flow is known by instance and number, whatever its URI (RFC 5626,
     * 6); all else by its URI.
     */
    private static boolean isSame(RegisterRequest request, RequestedContact contact, Binding binding) {
        if (request.usesOutbound(contact) && binding.regId() > 0) {
            return binding.regId() == contact.regId() && isSameInstance(contact.instance(), binding.instance());
        }
        return SipUri.parse(binding.contact()).isEquivalentTo(contact.parsed());
    }

    /** URNs are compared without case (RFC 8141, 3.1; of a UUID all of it: RFC 9562, 4). */
    static boolean isSameInstance(String one, String other) {
        return one.equalsIgnoreCase(other);
    }

    private List<String> headers(RegisterRequest request, List<Binding> bindings, long nowMs) {
        List<String> headers = new ArrayList<>();
        for (Binding binding : bindings) {
            headers.add("Contact: " + contact(request, binding, nowMs));
        }
        if (request.supports("path")
                && !request.path().isEmpty()
                && !request.contacts().isEmpty()) {
            headers.add("Path: " + request.path());
        }
        if (!bindings.isEmpty()) {
            policy.serviceRoute().forEach(value -> headers.add("Service-Route: " + value));
        }
        if (request.contacts().stream().anyMatch(request::usesOutbound)) {
            headers.add("Require: outbound");
            if (policy.flowTimerS() > 0) {
                headers.add("Flow-Timer: " + policy.flowTimerS());
            }
        }
        headers.add("Date: " + DATE.format(Instant.ofEpochMilli(nowMs)));
        return headers;
    }

    private String contact(RegisterRequest request, Binding binding, long nowMs) {
        StringBuilder text =
                new StringBuilder("<").append(binding.contact()).append('>').append(binding.parameters());
        if (binding.q() < 1000) {
            text.append(";q=").append(q(binding.q()));
        }
        if (!binding.instance().isEmpty()) {
            text.append(";+sip.instance=\"").append(binding.instance()).append('"');
            if (binding.regId() > 0) {
                text.append(";reg-id=").append(binding.regId());
            }
            if (gruus != null && request.supports("gruu")) {
                text.append(gruus.parameters(request, binding));
            }
        }
        // rounded up: a phone that asks again right after does not find less than it was granted
        return text.append(";expires=")
                .append((binding.expiresAtMs() - nowMs + 999) / 1000)
                .toString();
    }

    /** Thousandths as 0.5 or 0.125. */
    private static String q(int thousandths) {
        String digits = String.valueOf(1000 + thousandths).substring(1).replaceAll("0+$", "");
        return digits.isEmpty() ? "0" : "0." + digits;
    }
}
