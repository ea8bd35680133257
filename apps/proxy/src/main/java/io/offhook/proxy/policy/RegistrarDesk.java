package io.offhook.proxy.policy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.lane.LaneTask;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.location.LocationStore;
import io.offhook.proxy.location.StoreCallback;
import io.offhook.proxy.location.StoreFailure;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.registrar.RegisterOutcome;
import io.offhook.sip.registrar.RegisterRequest;
import io.offhook.sip.registrar.RegistrarRules;
import io.offhook.sip.registrar.RegistrationSource;
import java.time.InstantSource;

/** Takes REGISTER requests of one lane to the store, and its answers back. */
final class RegistrarDesk {
    private static final byte[] NO_TOKEN = new byte[0];

    private final ProxyLane lane;
    private final RegistrarRules rules;
    private final LocationStore store;
    private final InstantSource clock;
    private final SourceNat nat = new SourceNat();

    RegistrarDesk(ProxyLane lane, RegistrarRules rules, LocationStore store, InstantSource clock) {
        this.lane = lane;
        this.rules = rules;
        this.store = store;
        this.clock = clock;
    }

    /** Reads a REGISTER, as of whom it is must be known before anything else. */
    RegisterRequest read(SipMessageView request, SipHop from) {
        boolean needsFlow = from.transport().isReliable() || nat.isBehindNat(request, from);
        byte[] token = needsFlow ? HopToken.of(from) : NO_TOKEN;
        Endpoint endpoint = new Endpoint(from.high(), from.low(), from.port());
        return RegisterRequest.read(request, new RegistrationSource(endpoint, from.transport(), token));
    }

    /** Applies a REGISTER that is allowed, and answers it when its bindings are kept. */
    void register(ResponseContext context, RegisterRequest request, long nowNs) {
        RegisterOutcome refusal = request.refusal();
        if (refusal != null) {
            answer(context, refusal, nowNs);
            return;
        }
        long number = context.number();
        store.update(
                request.addressOfRecord(),
                current -> rules.apply(request, current, clock.millis()),
                new StoreCallback<>() {
                    @Override
                    public void done(RegisterOutcome outcome) {
                        onLane(context, number, atNs -> answer(context, outcome, atNs));
                    }

                    @Override
                    public void failed(StoreFailure failure) {
                        onLane(context, number, atNs -> refuse(context, failure, atNs));
                    }
                });
    }

    private void onLane(ResponseContext context, long number, LaneTask task) {
        lane.execute(nowNs -> {
            if (context.isWaiting(number)) {
                task.run(nowNs);
            }
        });
    }

    private static void answer(ResponseContext context, RegisterOutcome outcome, long nowNs) {
        StringBuilder headers = new StringBuilder();
        outcome.headers().forEach(header -> headers.append(header).append("\r\n"));
        context.reply(outcome.finding().status(), outcome.finding().reason(), headers.toString(), nowNs);
    }

    private static void refuse(ResponseContext context, StoreFailure failure, long nowNs) {
        boolean isPassing = failure.status() == 503;
        context.reply(
                failure.status(),
                isPassing ? "Registrations Unavailable" : "Registration Not Kept",
                isPassing ? "Retry-After: 5\r\n" : "",
                nowNs);
    }
}
