package io.offhook.proxy.location;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.Gruu;
import io.offhook.sip.registrar.Gruus;
import io.offhook.sip.registrar.RegisterFinding;
import io.offhook.sip.registrar.RegisterOutcome;
import io.offhook.sip.registrar.RegisterRequest;
import io.offhook.sip.registrar.RegisteredTarget;
import io.offhook.sip.registrar.RegistrarRules;
import io.offhook.sip.registrar.RegistrationSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The registrar: who may register is decided here, by the steps of RFC 3261, 10.3; what is registered by
 * {@link RegistrarRules}; where it is kept by a {@link LocationStore}.
 *
 * <p>{@link #register} answers REGISTER, {@link #find} finds the phones of a Request-URI. Both may be called by any thread,
 * and do not block; retransmissions are absorbed before.
 */
public final class Registrar {
    private static final int RETRY_AFTER_S = 10;

    /** What is in force; replaced as a whole. */
    private record Rules(RegistrarConfig config, RegistrarRules rules) {}

    private final LocationStore store;
    private final Predicate<String> isOurs;
    private final @Nullable DigestVerifier verifier;
    private final Gruus gruus;
    private volatile Rules rules;

    private final Map<RegisterFinding, LongAdder> findings = counters(RegisterFinding.class);
    private final Map<StoreFailure, LongAdder> failures = counters(StoreFailure.class);
    private final LongAdder challenged = new LongAdder();
    private final LongAdder forbidden = new LongAdder();
    private final LongAdder notFound = new LongAdder();

    /**
     * Creates a registrar.
     *
     * @param config what it grants
     * @param store where bindings are kept; closed by whoever opened it
     * @param isOurs says of a domain in lower case whether it is served here
     * @param verifier asks users for their passwords; null if nobody is asked
     * @param gruus makes GRUUs, where the configuration wants them
     */
    public Registrar(
            RegistrarConfig config,
            LocationStore store,
            Predicate<String> isOurs,
            @Nullable DigestVerifier verifier,
            Gruus gruus) {
        this.store = store;
        this.isOurs = isOurs;
        this.verifier = verifier;
        this.gruus = gruus;
        rules = rules(config);
    }

    private static <E extends Enum<E>> Map<E, LongAdder> counters(Class<E> type) {
        Map<E, LongAdder> counters = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            counters.put(constant, new LongAdder());
        }
        return counters;
    }

    private static <E extends Enum<E>> LongAdder counter(Map<E, LongAdder> counters, E constant) {
        return Objects.requireNonNull(counters.get(constant));
    }

    private Rules rules(RegistrarConfig config) {
        return new Rules(config, new RegistrarRules(config.policy(), config.makesGruus() ? gruus : null));
    }

    /** Replaces what it grants; requests from now on see it. */
    public void change(RegistrarConfig config) {
        rules = rules(config);
    }

    /**
     * Answers a REGISTER.
     *
     * @param request the request, whose domain is served here; not needed any more when this returns
     * @param source where it came from
     * @param nowMs the time in ms since the epoch
     * @param answer receives the answer, now or later
     */
    public void register(SipMessageView request, RegistrationSource source, long nowMs, RegistrarAnswer answer) {
        Rules now = rules;
        RegisterRequest register = RegisterRequest.read(request, source);
        RegisterOutcome refusal = register.refusal();
        if (refusal != null) {
            answer(refusal, answer);
            return;
        }
        AddressOfRecord addressOfRecord = register.addressOfRecord();
        if (!isOurs.test(addressOfRecord.domain())) {
            notFound.increment();
            answer.answer(404, "Not Found", List.of());
            return;
        }
        if (verifier != null && !isAllowed(request, register, verifier, now.config(), nowMs, answer)) {
            return;
        }
        store.update(addressOfRecord, current -> now.rules().apply(register, current, nowMs), new StoreCallback<>() {
            @Override
            public void done(RegisterOutcome outcome) {
                answer(outcome, answer);
            }

            @Override
            public void failed(StoreFailure failure) {
                answer(failure, answer);
            }
        });
    }

    /** Steps 3 and 4: whoever it is, may it register this address of record? If not, it is answered. */
    private boolean isAllowed(
            SipMessageView request,
            RegisterRequest register,
            DigestVerifier verifier,
            RegistrarConfig config,
            long nowMs,
            RegistrarAnswer answer) {
        AddressOfRecord addressOfRecord = register.addressOfRecord();
        String realm = config.realm() == null ? addressOfRecord.domain() : config.realm();
        DigestVerdict verdict = verifier.verify(
                request,
                SipHeader.AUTHORIZATION,
                realm,
                register.source().endpoint().address(),
                nowMs);
        answer.credentials(verdict);
        if (verdict.isBadRequest()) {
            counter(findings, RegisterFinding.MALFORMED).increment();
            answer.answer(400, "Bad Request", List.of());
            return false;
        }
        if (!verdict.isAuthentic()) {
            challenged.increment();
            List<String> headers = new ArrayList<>();
            IpAddress address = register.source().endpoint().address();
            for (String challenge : verifier.challenges(request, realm, address, verdict.isStale(), nowMs)) {
                headers.add("WWW-Authenticate: " + challenge);
            }
            answer.answer(401, "Unauthorized", headers);
            return false;
        }
        if (!config.registersOthers() && !isOwn(verdict.username(), addressOfRecord)) {
            forbidden.increment();
            answer.answer(403, "Forbidden", List.of());
            return false;
        }
        return true;
    }

    /** A user is named as in its address of record, with the domain or without. */
    private static boolean isOwn(String username, AddressOfRecord addressOfRecord) {
        int at = username.lastIndexOf('@');
        return username.equals(addressOfRecord.user())
                || at >= 0
                        && username.substring(0, at).equals(addressOfRecord.user())
                        && username.substring(at + 1).toLowerCase(Locale.ROOT).equals(addressOfRecord.domain());
    }

    private void answer(RegisterOutcome outcome, RegistrarAnswer answer) {
        RegisterFinding finding = outcome.finding();
        counter(findings, finding).increment();
        answer.answer(finding.status(), finding.reason(), outcome.headers());
    }

    private void answer(StoreFailure failure, RegistrarAnswer answer) {
        counter(failures, failure).increment();
        boolean isBusy = failure.status() == 503;
        answer.answer(
                failure.status(),
                isBusy ? "Service Unavailable" : "Server Internal Error",
                isBusy ? List.of("Retry-After: " + RETRY_AFTER_S) : List.of());
    }

    /**
     * Finds the phones of a URI: of an address of record, or the one of a GRUU.
     *
     * @param uri the Request-URI
     * @param nowMs the time in ms since the epoch
     * @param callback receives the targets, best first; none if nobody is registered, or the URI is no user of ours
     */
    public void find(SipUri uri, long nowMs, StoreCallback<List<RegisteredTarget>> callback) {
        Gruu gruu = gruus.read(uri);
        AddressOfRecord addressOfRecord = gruu == null ? AddressOfRecord.of(uri) : gruu.addressOfRecord();
        if (addressOfRecord == null || !isOurs.test(addressOfRecord.domain())) {
            callback.done(List.of());
            return;
        }
        store.find(addressOfRecord, nowMs, new StoreCallback<>() {
            @Override
            public void done(List<Binding> bindings) {
                callback.done(RegisteredTarget.of(bindings, gruu, nowMs));
            }

            @Override
            public void failed(StoreFailure failure) {
                counter(failures, failure).increment();
                callback.failed(failure);
            }
        });
    }

    /** How often a REGISTER had this result. */
    public long count(RegisterFinding finding) {
        return counter(findings, finding).sum();
    }

    /** How often the store failed so, at REGISTER and at finding. */
    public long count(StoreFailure failure) {
        return counter(failures, failure).sum();
    }

    /** REGISTERs answered 401. Of what kind they were, {@link DigestVerifier#count} says. */
    public long challenged() {
        return challenged.sum();
    }

    /** REGISTERs answered 403, because a user registered another one. */
    public long forbidden() {
        return forbidden.sum();
    }

    /** REGISTERs answered 404, because the domain is not served here. */
    public long notFound() {
        return notFound.sum();
    }
}
