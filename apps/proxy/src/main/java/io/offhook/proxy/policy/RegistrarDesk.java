package io.offhook.proxy.policy;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.lane.ProxyLane;
import io.offhook.proxy.location.Registrar;
import io.offhook.proxy.location.RegistrarAnswer;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestVerdict;
import io.offhook.sip.proxy.ResponseContext;
import io.offhook.sip.registrar.RegistrationSource;
import java.time.InstantSource;
import java.util.List;

/** Takes REGISTER requests of one lane to the registrar, and its answers back. */
final class RegistrarDesk {
    private static final byte[] NO_TOKEN = new byte[0];

    private final ProxyLane lane;
    private final Registrar registrar;
    private final SenderConduct conduct;
    private final InstantSource clock;
    private final SourceNat nat = new SourceNat();

    RegistrarDesk(ProxyLane lane, Registrar registrar, SenderConduct conduct, InstantSource clock) {
        this.lane = lane;
        this.registrar = registrar;
        this.conduct = conduct;
        this.clock = clock;
    }

    /** Registers, or refuses to; the answer is sent when its bindings are kept. */
    void register(ResponseContext context, SipMessageView request, long nowNs) {
        long number = context.number();
        Thread own = Thread.currentThread();
        RegistrationSource source = source(context.source(), request);
        registrar.register(request, source, clock.millis(), new RegistrarAnswer() {
            @Override
            public void credentials(DigestVerdict verdict) {
                conduct.credentials(context.source(), verdict);
            }

            @Override
            public void answer(int status, String reason, List<String> headers) {
                if (own.equals(Thread.currentThread())) {
                    reply(context, status, reason, headers, nowNs);
                    return;
                }
                lane.execute(atNs -> {
                    if (context.isWaiting(number)) {
                        reply(context, status, reason, headers, atNs);
                    }
                });
            }
        });
    }

    /** A phone that is reached by its connection only, or is behind NAT, keeps the way by which it came. */
    private RegistrationSource source(SipHop from, SipMessageView request) {
        boolean needsFlow = from.transport().isReliable() || nat.isBehindNat(request, from);
        byte[] token = needsFlow ? HopToken.of(from) : NO_TOKEN;
        Endpoint endpoint = new Endpoint(from.high(), from.low(), from.port());
        return new RegistrationSource(endpoint, from.transport(), token);
    }

    private void reply(ResponseContext context, int status, String reason, List<String> headers, long nowNs) {
        conduct.countAnswer(context.source(), status);
        StringBuilder lines = new StringBuilder();
        headers.forEach(header -> lines.append(header).append("\r\n"));
        context.reply(status, reason, lines.toString(), nowNs);
    }
}
