package io.offhook.proxy.policy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.location.Registrar;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.registrar.RegistrationSource;
import java.time.InstantSource;
import java.util.List;

/** Takes REGISTER requests of one lane to the registrar, and its answers back. */
final class RegistrarDesk {
    private static final byte[] NO_TOKEN = new byte[0];

    private final ProxyLane lane;
    private final Registrar registrar;
    private final InstantSource clock;
    private final SourceNat nat = new SourceNat();

    RegistrarDesk(ProxyLane lane, Registrar registrar, InstantSource clock) {
        this.lane = lane;
        this.registrar = registrar;
        this.clock = clock;
    }

    /** Registers, or refuses to; the answer is sent when its bindings are kept. */
    void register(ResponseContext context, SipMessageView request, long nowNs) {
        long number = context.number();
        Thread own = Thread.currentThread();
        registrar.register(request, source(context.source(), request), clock.millis(), (status, reason, headers) -> {
            if (own.equals(Thread.currentThread())) {
                answer(context, status, reason, headers, nowNs);
                return;
            }
            lane.execute(atNs -> {
                if (context.isWaiting(number)) {
                    answer(context, status, reason, headers, atNs);
                }
            });
        });
    }

    /** A phone that is reached by its connection only, or is behind NAT, keeps the way by which it came. */
    private RegistrationSource source(SipHop from, SipMessageView request) {
        boolean needsFlow = from.transport().isReliable() || nat.isBehindNat(request, from);
        byte[] token = needsFlow ? HopToken.of(from) : NO_TOKEN;
        Endpoint endpoint = new Endpoint(from.high(), from.low(), from.port());
        return new RegistrationSource(endpoint, from.transport(), token);
    }

    private static void answer(ResponseContext context, int status, String reason, List<String> headers, long nowNs) {
        StringBuilder lines = new StringBuilder();
        headers.forEach(header -> lines.append(header).append("\r\n"));
        context.reply(status, reason, lines.toString(), nowNs);
    }
}
