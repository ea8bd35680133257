package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What carries one call: its ends, the path of its signalling, its media. Ends and ports follow from the call's number, so
 * that no two calls share any unless their plans say so.
 */
record CallParts(
        Tap tap,
        UserAgent caller,
        UserAgent callee,
        List<SipChannel> hops,
        SipDialog dialog,
        MediaSession media,
        SessionDescriber sdp,
        CallLedger ledger) {
    private static final int SIP_PORT = 5060;

    static CallParts assemble(
            Random random,
            CallPlan plan,
            int number,
            long startNs,
            Recorder recorder,
            StreamLedgers streams,
            Tallies tallies) {
        Tap tap = new Tap(recorder, random).link(plan.link).fragmented(plan.mtu, plan.fragmentStyle);
        plan.encapsulations.forEach(tap::through);
        if (plan.mirrorDelayNs >= 0) {
            tap.mirrored(plan.mirrorDelayNs);
        }
        UserAgent caller = agent(random, plan, Party.CALLER, number);
        UserAgent callee = agent(random, plan, Party.CALLEE, number);
        caller.displayName = plan.displayName;
        String callId = plan.callId != null
                ? plan.callId
                : Integer.toHexString(random.nextInt()) + "-" + number + "@" + Addresses.text(caller.contact);
        CallLedger ledger = new CallLedger(callId);
        List<Endpoint> nodes = new ArrayList<>();
        nodes.add(caller.signalling);
        for (int proxy = 0; proxy < plan.proxies; proxy++) {
            nodes.add(address(plan.ipv6, 9, number, SIP_PORT, proxy));
        }
        nodes.add(callee.signalling);
        List<SipChannel> hops = new ArrayList<>();
        for (int hop = 0; hop + 1 < nodes.size(); hop++) {
            hops.add(channel(random, plan, tap, nodes.get(hop), nodes.get(hop + 1), hop, startNs));
        }
        MediaSession.Relay relay = plan.relayed ? relay(nodes.get(1), number) : null;
        List<String> names = nodes.subList(1, nodes.size() - 1).stream()
                .map(node -> Addresses.inUri(node) + ":" + node.port())
                .toList();
        return new CallParts(
                tap,
                caller,
                callee,
                hops,
                new SipDialog(random, plan, caller, callee, names, hops, ledger),
                new MediaSession(random, tap, plan, caller, callee, relay, ledger, streams, tallies),
                new SessionDescriber(plan, caller, callee, relay, 1_000L + number * 2L),
                ledger);
    }

    private static UserAgent agent(Random random, CallPlan plan, Party party, int number) {
        int net = party == Party.CALLER ? 1 : 2;
        String named = party == Party.CALLER ? plan.from : plan.to;
        String user = named != null ? named : Numbers.any(random, party);
        Endpoint signalling = plan.signallingAt.getOrDefault(party, address(plan.ipv6, net, number, SIP_PORT, 0));
        if (plan.transport != Transport.UDP && party == Party.CALLER) {
            signalling = signalling.withPort(32_768 + number % 28_000);
        }
        Endpoint media = plan.mediaAt.getOrDefault(party, signalling.withPort(16_384 + number * 8 % 40_000 + net * 4));
        UserAgent agent = new UserAgent(party, user, signalling, media, Integer.toHexString(random.nextInt()) + net);
        if (plan.behindNat.contains(party)) {
            translate(agent, number);
        } else if (plan.ice) {
            agent.mediaSeen = address(plan.ipv6, net + 4, number, media.port() + 1000, 0);
        }
        return agent;
    }

    /** Puts an end behind a NAT: what it says of itself is private, what the tap sees is public and has other ports. */
    private static void translate(UserAgent agent, int number) {
        agent.behindNat = true;
        agent.contact = Addresses.endpoint("192.168.1." + (10 + number % 200), SIP_PORT);
        agent.media = agent.contact.withPort(agent.media.port());
        String outside = (agent.party == Party.CALLER ? "203.0.113." : "198.51.100.") + (1 + number % 250);
        agent.signalling = Addresses.endpoint(outside, 20_000 + number % 10_000);
        agent.mediaSeen = Addresses.endpoint(outside, 40_000 + number * 4 % 20_000);
    }

    private static SipChannel channel(
            Random random, CallPlan plan, Tap tap, Endpoint upper, Endpoint lower, int hop, long startNs) {
        if (plan.transport == Transport.UDP) {
            return new SipChannel.Datagrams(tap, upper, lower);
        }
        // a proxy's connections come from a port of its own, not the one it listens on
        Endpoint client = hop == 0 ? upper : upper.withPort(45_000 + hop);
        Endpoint server = plan.transport == Transport.WS ? lower.withPort(8080) : lower;
        SentConnection connection = new SentConnection(tap, client, server, true);
        long sequence = plan.tcpSequence;
        connection.startingAt(
                sequence >= 0 ? sequence : random.nextInt() & 0xffff_ffffL,
                sequence >= 0 ? sequence : random.nextInt() & 0xffff_ffffL);
        if (plan.transport == Transport.WS) {
            WebSocket socket = new WebSocket(connection, random);
            if (!plan.midStream) {
                socket.open(startNs - 5_000_000, "example.com");
            }
            return new SipChannel.Frames(socket, random, plan.cutting);
        }
        if (!plan.midStream) {
            connection.open(startNs - 2_000_000);
        }
        return new SipChannel.Stream(connection, random, plan.cutting);
    }

    private static MediaSession.Relay relay(Endpoint proxy, int number) {
        int port = 10_000 + number * 8 % 6_000;
        return new MediaSession.Relay(proxy.withPort(port), proxy.withPort(port + 4));
    }

    /** An address in net 10.{@code net}.0.0/16 or 2001:db8:{@code net}::/48. */
    static Endpoint address(boolean ipv6, int net, int number, int port, int host) {
        int low = number % 60_000 + 1;
        return ipv6
                ? Addresses.endpoint("2001:db8:" + net + "::" + Integer.toHexString(low) + ":" + (host + 1), port)
                : Addresses.endpoint("10." + (net + host * 10) + "." + (low >> 8) + "." + (low & 0xff), port);
    }
}
