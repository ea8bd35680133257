package io.offhook.sip.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;
import io.offhook.sip.transaction.TransactionLimits;
import io.offhook.sip.transaction.TransactionSettings;
import io.offhook.sip.transaction.TransactionTimers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Thousands of calls with random ends through one to three proxies, on networks that keep the order of messages, or lose,
 * duplicate and reorder them.
 */
class CallSimulationTest {
    private static final String CALLER = "198.51.100.1:5060";
    private static final int[] REJECTIONS = {302, 404, 480, 486, 500, 503, 600, 603};

    /** A proxy of the simulation, which forwards calls to the next one, or forks them to the callees. */
    private static final class Proxy implements ProxyPolicy, SimNetwork.Host {
        final String address;
        final ProxyCore core;
        private final SimNetwork network;
        private final List<String> next;
        private final boolean isSerial;
        private final @Nullable BodyRewriter bodies;
        private final SipMessageView sent = new SipMessageView();
        int mostClients;
        int highestPlace;

        Proxy(SimNetwork network, String address, List<String> next, boolean isSerial, boolean holds) {
            bodies = holds ? new SlowBodies(network) : null;
            this.network = network;
            this.address = address;
            this.next = next;
            this.isSerial = isSerial;
            SipHop self = ProxyScene.hop(address);
            IpAddress ip = new IpAddress(self.high(), self.low());
            ProxyIdentity identity = new ProxyIdentity(
                    List.of(ProxyListener.of(SipTransport.UDP, ip, self.port())), Set.of(ip), Set.of());
            ProxySettings settings = ProxySettings.standard(address.hashCode());
            core = new ProxyCore(
                    0,
                    new ProxySetup(
                            identity,
                            settings,
                            new TransactionSettings(
                                    TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, settings.secret())),
                    this,
                    (uri, nowNs, result) -> result.resolved(List.of(), nowNs),
                    this::output,
                    network.nowNs);
            network.add(address, this);
        }

        private boolean output(SipHop to, byte[] octets, int offset, int length) {
            network.send(address, ProxyScene.at(to), Arrays.copyOfRange(octets, offset, offset + length));
            sent.wrap(octets, offset, length);
            String branch = sent.topViaBranch();
            if (sent.isRequest() && branch.startsWith("z9hG4bKoh00f")) {
                highestPlace = Math.max(highestPlace, Integer.parseInt(branch.substring(12, 18), 16));
            }
            mostClients = Math.max(mostClients, core.transactions().clientCount());
            return true;
        }

        @Override
        public void decide(ResponseContext context, SipMessageView request, long nowNs) {
            if (context.isInDialog()) {
                assertThat(context.followsOwnRoute()).as("%s", request).isTrue();
                context.relay(nowNs);
                return;
            }
            List<ForkTarget> targets = next.stream()
                    .map(place ->
                            new ForkTarget(request.requestUri(), List.of(), ProxyScene.hop(place), HeaderChanges.NONE))
                    .toList();
            context.fork(isSerial ? targets.stream().map(List::of).toList() : List.of(targets), nowNs);
        }

        @Override
        public boolean mayForward(SipMessageView request, SipHop source, boolean hasRoute, boolean followsOwnRoute) {
            assertThat(followsOwnRoute || request.method() != SipMethod.ACK)
                    .as("%s", request)
                    .isTrue();
            return true;
        }

        @Override
        public @Nullable BodyRewriter bodies() {
            return bodies;
        }

        @Override
        public boolean needsFlowToken(ForkTarget target, SipHop to) {
            return false;
        }

        @Override
        public void receive(String from, byte[] message) {
            core.transactions()
                    .receive(message, 0, message.length, ProxyScene.hop(from).listener(0), network.nowNs);
        }
    }

    private static final class World {
        final long seed;
        final SimNetwork network;
        final Random random;
        final SimAgent caller;
        final List<SimAgent> callees = new ArrayList<>();
        final List<Proxy> proxies = new ArrayList<>();
        final List<SimLeg> calls = new ArrayList<>();

        World(long seed, double loss, int proxyCount, int calleeCount, boolean holds) {
            this.seed = seed;
            network = new SimNetwork(seed, loss);
            random = network.random;
            caller = new SimAgent(network, CALLER);
            List<String> next = new ArrayList<>();
            for (int i = 1; i <= calleeCount; i++) {
                SimAgent callee = new SimAgent(network, "203.0.113." + i + ":5070");
                callee.incoming = this::answer;
                callees.add(callee);
                next.add(callee.address);
            }
            for (int i = proxyCount; i >= 1; i--) {
                String address = "192.0.2." + i + ":5060";
                proxies.add(new Proxy(network, address, next, random.nextInt(3) == 0, holds));
                next = List.of(address);
            }
        }

        /** What a callee does with a call. */
        private void answer(SimLeg leg, SimAgent.Server server) {
            int kind = random.nextInt(100);
            if (kind < 4) {
                return; // silent
            }
            if (kind % 3 == 0) {
                leg.answer(100);
            }
            long after = random.nextInt(1500);
            if (kind % 4 != 0) {
                network.after(after, () -> leg.answer(180));
                after += random.nextInt(3000);
            }
            leg.confirmed = () -> talk(leg);
            if (kind < 60) {
                network.after(after, () -> leg.answer(200));
            } else if (kind < 90) {
                int status = REJECTIONS[random.nextInt(REJECTIONS.length)];
                network.after(after, () -> leg.answer(status));
            }
            // the others ring until they are cancelled
        }

        /** What either side does during a call: both may do it at the same time. */
        private void talk(SimLeg leg) {
            long hold = 100L + random.nextInt(5000);
            if (random.nextInt(3) == 0) {
                network.after(hold / 2, leg::reInvite);
            }
            if (leg.isCaller || random.nextInt(2) == 0) {
                network.after(hold, leg::hangUp);
            }
        }

        private void call(int i) {
            SimLeg leg = SimLeg.call(caller, "call-" + i, "sip:bob@example.com", proxies.getLast().address);
            leg.confirmed = () -> talk(leg);
            network.after(random.nextInt(4) == 0 ? random.nextInt(4000) : 20_000, leg::cancel);
            calls.add(leg);
        }

        void run(int count) {
            for (int i = 0; i < count; i++) {
                int number = i;
                network.after(random.nextInt(20 * count), () -> call(number));
            }
            while (true) {
                long next = network.nextNs();
                long timer = Long.MAX_VALUE;
                for (Proxy proxy : proxies) {
                    timer = Math.min(timer, proxy.core.transactions().nextNs());
                }
                if (next == Long.MAX_VALUE && timer == Long.MAX_VALUE) {
                    return;
                }
                if (next <= timer) {
                    network.step();
                } else {
                    network.nowNs = Math.max(network.nowNs, timer);
                    proxies.forEach(proxy -> proxy.core.transactions().advance(network.nowNs));
                }
            }
        }

        void check() {
            for (SimLeg call : calls) {
                assertThat(call.ended).as("seed %d: %s", seed, call).isTrue();
                assertThat(call.answered).as("seed %d: %s", seed, call).isNotEqualTo(call.status > 0);
            }
            for (SimLeg leg : caller.legs) {
                assertThat(leg.ended).as("seed %d: %s", seed, leg).isTrue();
                if (leg.answered) {
                    assertThat(callees.stream().flatMap(callee -> callee.legs.stream()))
                            .as("seed %d: the other end of %s", seed, leg)
                            .anyMatch(other -> other.callId.equals(leg.callId)
                                    && other.localTag.equals(leg.remoteTag)
                                    && other.answered);
                }
            }
            for (SimAgent callee : callees) {
                for (SimLeg leg : callee.legs) {
                    checkCallee(leg);
                }
            }
            for (Proxy proxy : proxies) {
                assertThat(proxy.core.transactions().serverCount()).isZero();
                assertThat(proxy.core.transactions().clientCount()).isZero();
                assertThat(proxy.core.transactions().keptBytes()).isZero();
                assertThat(proxy.core.transactions().wheel().running()).isZero();
                assertThat(proxy.core.contextCount()).isZero();
            }
        }

        /** Who answered has hung up, or was hung up on; who did not knows that it is over, unless it never said anything. */
        private void checkCallee(SimLeg leg) {
            if (leg.answered) {
                assertThat(leg.ended).as("seed %d: %s", seed, leg).isTrue();
                assertThat(caller.legs)
                        .as("seed %d: the other end of %s", seed, leg)
                        .anyMatch(other -> other.callId.equals(leg.callId)
                                && (network.isBad || other.answered && other.remoteTag.equals(leg.localTag)));
            } else if (!network.isBad && Objects.requireNonNull(leg.invite).status > 0) {
                assertThat(leg.ended).as("seed %d: %s", seed, leg).isTrue();
            }
        }

        long answered() {
            return calls.stream().filter(call -> call.answered).count();
        }
    }

    private static World simulate(long seed, double loss, int proxies, int callees, int calls) {
        return simulate(seed, loss, proxies, callees, calls, false);
    }

    private static World simulate(long seed, double loss, int proxies, int callees, int calls, boolean holds) {
        System.out.printf("seed %d, loss %.2f, %d proxies, %d callees%n", seed, loss, proxies, callees);
        World world = new World(seed, loss, proxies, callees, holds);
        world.run(calls);
        world.check();
        assertThat(world.answered()).isBetween(calls / 4L, calls - 1L);
        return world;
    }

    @Test
    void everyCallEndsAtBothEndsOnAGoodNetwork() {
        long seed = System.nanoTime();
        simulate(seed, 0, 1, 1, 600);
        simulate(seed + 1, 0, 3, 1, 400);
        simulate(seed + 2, 0, 2, 3, 400);
    }

    @Test
    void everyCallEndsAtBothEndsOnABadNetwork() {
        long seed = System.nanoTime();
        simulate(seed, 0.05, 1, 1, 600);
        simulate(seed + 1, 0.05, 3, 2, 300);
        simulate(seed + 2, 0.2, 1, 2, 300);
    }

    /** Messages keep their order while some of them wait for their bodies. */
    @Test
    void everyCallEndsAtBothEndsWhileMessagesAreHeld() {
        long seed = System.nanoTime();
        simulate(seed, 0, 1, 1, 600, true);
        simulate(seed + 1, 0, 3, 1, 400, true);
        simulate(seed + 2, 0, 2, 3, 400, true);
        simulate(seed + 3, 0.05, 2, 2, 300, true);
    }

    /** The place of a client transaction is used again: there are never more than were needed at once. */
    @Test
    void usesNoMorePlacesThanNeededAtOnce() {
        Proxy proxy = simulate(17, 0.05, 1, 2, 500).proxies.getFirst();
        // the place is the number after the letter in our branch
        assertThat(proxy.mostClients).isBetween(10, 2000);
        assertThat(proxy.highestPlace).isBetween(9, proxy.mostClients);
    }
}
