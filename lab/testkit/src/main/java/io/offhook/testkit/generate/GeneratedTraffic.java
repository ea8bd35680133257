package io.offhook.testkit.generate;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.Addresses;
import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.SentCodec;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.traffic.Transport;
import io.offhook.testkit.truth.Party;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Calls drawn at random as {@link GenerateOptions} describes. Each caller has its own address; fifty gateways take the
 * calls in turn, each call on its own port. After 12,500 calls the next fifty gateways follow.
 */
public final class GeneratedTraffic {
    private static final List<SentCodec> CODECS =
            List.of(SentCodec.PCMU, SentCodec.PCMA, SentCodec.G729, SentCodec.OPUS);
    private static final double[] LOSS_FACTORS = {0, 0, 1, 3};
    private static final int LONGEST_BURST = 4;
    private static final double JITTER_MS = 1.5;
    private static final int GATEWAYS = 50;
    private static final int CALLS_OF_THE_GATEWAYS = 12_500;
    private static final int SIP_PORT = 5060;

    private final GenerateOptions options;
    private final Random random;
    private final Traffic traffic;

    private GeneratedTraffic(GenerateOptions options) {
        this.options = options;
        random = new Random(options.seed());
        traffic = new Traffic(random.nextLong());
    }

    /** Generates the traffic. */
    public static Traffic of(GenerateOptions options) {
        GeneratedTraffic generated = new GeneratedTraffic(options);
        for (int number = 0; number < options.calls(); number++) {
            generated.call(number);
        }
        if (options.background() > 0) {
            long milliseconds = generated.traffic.lengthMicros() / 1000 + 1;
            generated.traffic.noise(options.background(), milliseconds);
        }
        return generated.traffic;
    }

    private void call(int number) {
        long spread = random.nextInt(40_000);
        traffic.atMicros((long) (number / options.callsPerSecond() * 1e6) + spread);
        boolean ipv6 = random.nextDouble() < options.ipv6();
        boolean tagged = random.nextDouble() < options.vlan();
        boolean tcp = random.nextDouble() < options.tcp();
        DrawnOutcome outcome = outcome();
        double talkSeconds = Math.max(1, options.seconds() + random.nextGaussian() * options.seconds() / 4);
        traffic.call(call -> {
            call.from("+1555%07d".formatted(random.nextInt(10_000_000)))
                    .to("+4420%08d".formatted(random.nextInt(100_000_000)))
                    .codec(CODECS.get(random.nextInt(CODECS.size())));
            if (ipv6) {
                call.ipv6();
            }
            if (tagged) {
                call.on(Link.ethernet().vlan(2 + random.nextInt(3999)));
            }
            if (tcp) {
                call.over(Transport.TCP);
            }
            placeEnds(call, number, ipv6);
            shapeMedia(call);
            outcome.steps(call, random, Math.round(talkSeconds * 1000));
        });
    }

    private void placeEnds(CallPlan call, int number, boolean ipv6) {
        Endpoint caller = ipv6
                ? Addresses.endpoint(
                        "2001:db8:1::" + Integer.toHexString(number >>> 16) + ":"
                                + Integer.toHexString(number & 0xffff),
                        SIP_PORT)
                : Endpoint.ofIpv4((10 << 24 | 64 << 16) + 1 + number, SIP_PORT);
        int bank = number / CALLS_OF_THE_GATEWAYS;
        int gateway = 1 + number % GATEWAYS;
        Endpoint callee = ipv6
                ? Addresses.endpoint("2001:db8:2::%x:%x".formatted(bank, gateway), SIP_PORT)
                : Endpoint.ofIpv4(10 << 24 | 2 << 16 | bank << 8 | gateway, SIP_PORT);
        int port = 10_000 + number % CALLS_OF_THE_GATEWAYS * 4;
        call.signallingAt(Party.CALLER, caller)
                .signallingAt(Party.CALLEE, callee)
                .mediaAt(Party.CALLER, caller.withPort(port))
                .mediaAt(Party.CALLEE, callee.withPort(port + 2));
    }

    private void shapeMedia(CallPlan call) {
        for (Party party : Party.values()) {
            double loss = Math.min(1, options.loss() * LOSS_FACTORS[random.nextInt(LOSS_FACTORS.length)]);
            call.media(
                    party,
                    shape -> shape.loss(loss)
                            .lossBursts(LONGEST_BURST)
                            .duplicates(options.duplicates())
                            .reordering(options.reordering())
                            .jitterMs(JITTER_MS));
        }
    }

    private DrawnOutcome outcome() {
        double all = options.outcomes().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
        double left = random.nextDouble() * all;
        DrawnOutcome last = DrawnOutcome.ANSWERED;
        for (Map.Entry<DrawnOutcome, Double> weight : options.outcomes().entrySet()) {
            if (weight.getValue() > 0) {
                last = weight.getKey();
                left -= weight.getValue();
                if (left < 0) {
                    break;
                }
            }
        }
        return last;
    }
}
