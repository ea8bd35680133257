package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.RtcpTruth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The media of one call: both ends' sound, pictures and RTCP, in the order of time. */
final class MediaSession {
    private static final long MS = 1_000_000;
    private static final long RELAY_NS = 250_000;

    private final Random random;
    private final Tap tap;
    private final CallPlan plan;
    private final UserAgent caller;
    private final UserAgent callee;
    private final @Nullable Relay relay;
    private final CallLedger calls;
    private final StreamLedgers streams;
    private final Tallies tallies;
    private final Map<Party, RtpSender> sound = new EnumMap<>(Party.class);
    private final Map<Party, RtpSender> pictures = new EnumMap<>(Party.class);
    private final Map<Party, RtcpReporter> reporters = new EnumMap<>(Party.class);
    private final int[] refusals = new int[2];
    private long nextReportNs = Long.MIN_VALUE;
    private boolean checked;

    /** A relay that both ends take for the other one: what it shows to the caller, and to the callee. */
    record Relay(Endpoint towardsCaller, Endpoint towardsCallee) {}

    MediaSession(
            Random random,
            Tap tap,
            CallPlan plan,
            UserAgent caller,
            UserAgent callee,
            @Nullable Relay relay,
            CallLedger calls,
            StreamLedgers streams,
            Tallies tallies) {
        this.random = random;
        this.tap = tap;
        this.plan = plan;
        this.caller = caller;
        this.callee = callee;
        this.relay = relay;
        this.calls = calls;
        this.streams = streams;
        this.tallies = tallies;
        for (Party party : Party.values()) {
            sound.put(party, sender(party, plan.codecs.getFirst()));
            if (plan.video) {
                pictures.put(party, sender(party, SentCodec.H264));
            }
        }
        for (Party party : Party.values()) {
            reporters.put(
                    party,
                    new RtcpReporter(
                            party,
                            plan.rtcp == null ? new RtcpShape() : plan.rtcp,
                            sender(sound, party),
                            sender(sound, party.other()),
                            agent(party).user + "@" + Addresses.text(agent(party).media)));
        }
        refusals[0] = plan.refusedMedia.getOrDefault(Party.CALLER, 0);
        refusals[1] = plan.refusedMedia.getOrDefault(Party.CALLEE, 0);
    }

    private RtpSender sender(Party party, SentCodec codec) {
        boolean encrypted = plan.security != Security.NONE;
        return new RtpSender(
                random, plan.shape(party), codec, SentCodec.TELEPHONE_EVENT.payloadType(), encrypted, this::capture);
    }

    private static RtpSender sender(Map<Party, RtpSender> senders, Party party) {
        RtpSender sender = senders.get(party);
        if (sender == null) {
            throw new IllegalStateException("no sender for the " + party.label());
        }
        return sender;
    }

    RtpSender sound(Party party) {
        return sender(sound, party);
    }

    /** Sends what both ends have to send in this time; an end that is silent by plan or not {@code active} sends nothing. */
    void run(long fromNs, long durationNs, boolean callerActive, boolean calleeActive) {
        aim();
        if (!checked) {
            checked = true;
            check(fromNs);
        }
        List<RtpSender> senders = new ArrayList<>();
        activate(senders, Party.CALLER, callerActive);
        activate(senders, Party.CALLEE, calleeActive);
        long untilNs = fromNs + durationNs;
        nextReportNs = Math.max(nextReportNs, fromNs + interval() / 2);
        senders.forEach(sender -> sender.dueNs(fromNs));
        while (true) {
            RtpSender next = senders.stream()
                    .min(Comparator.comparingLong(sender -> sender.dueNs(fromNs)))
                    .orElseThrow();
            long due = next.dueNs(fromNs);
            if (plan.rtcp != null && nextReportNs <= due && nextReportNs < untilNs) {
                report(nextReportNs, false);
                nextReportNs += interval();
            } else if (due >= untilNs) {
                return;
            } else {
                next.tick();
            }
        }
    }

    private void activate(List<RtpSender> senders, Party party, boolean active) {
        boolean speaks = active && !plan.silent.contains(party);
        sound(party).active(speaks);
        senders.add(sound(party));
        RtpSender picture = pictures.get(party);
        if (picture != null) {
            picture.active(speaks);
            senders.add(picture);
        }
    }

    private long interval() {
        return (plan.rtcp == null ? 1000 : plan.rtcp.intervalMs) * MS;
    }

    /** RTCP BYE of both ends. */
    void close(long timeNs) {
        if (plan.rtcp != null && nextReportNs != Long.MIN_VALUE) {
            report(timeNs, true);
        }
    }

    private void report(long timeNs, boolean goodbye) {
        for (Party party : Party.values()) {
            // close together, so that no report is written that would come after the BYE
            long at = timeNs + (party == Party.CALLER ? 0 : MS);
            long captured = tap.quantize(at);
            byte[] compound = reporter(party).compound(captured, goodbye);
            reporter(party.other()).heard(reporter(party), captured);
            int up = plan.rtcp == null ? 1 : plan.rtcp.portOffset();
            if (plan.security != Security.NONE) {
                continue; // SRTCP would hide what the truth says; it is not written
            }
            for (RtpSender.Leg leg : sound(party).path()) {
                tap.udp(
                        captured + leg.delayNs(),
                        leg.forward(),
                        leg.source().withPort(leg.source().port() + up),
                        leg.destination().withPort(leg.destination().port() + up),
                        compound);
                tallies.rtcpPackets += tap.copies();
            }
        }
    }

    List<RtcpTruth> rtcpTruth() {
        return plan.rtcp == null || plan.security != Security.NONE
                ? List.of()
                : reporters.values().stream()
                        .filter(RtcpReporter::hasReported)
                        .map(reporter -> reporter.truth(calls.callId()))
                        .toList();
    }

    private RtcpReporter reporter(Party party) {
        RtcpReporter reporter = reporters.get(party);
        if (reporter == null) {
            throw new IllegalStateException("no reporter for the " + party.label());
        }
        return reporter;
    }

    /** Points all senders at where the ends now want their media. */
    private void aim() {
        for (Party party : Party.values()) {
            sound(party).path(legs(party, 0));
            RtpSender picture = pictures.get(party);
            if (picture != null) {
                picture.path(legs(party, plan.bundled ? 0 : 2));
            }
        }
    }

    private List<RtpSender.Leg> legs(Party from, int portOffset) {
        boolean forward = from == Party.CALLER;
        Endpoint source = shift(agent(from).mediaSeen, portOffset);
        Endpoint destination = shift(agent(from.other()).mediaSeen, portOffset);
        if (relay == null) {
            return List.of(new RtpSender.Leg(source, destination, 0, forward));
        }
        Endpoint in = shift(forward ? relay.towardsCaller() : relay.towardsCallee(), portOffset);
        Endpoint out = shift(forward ? relay.towardsCallee() : relay.towardsCaller(), portOffset);
        return List.of(
                new RtpSender.Leg(source, in, 0, forward), new RtpSender.Leg(out, destination, RELAY_NS, forward));
    }

    private static Endpoint shift(Endpoint endpoint, int by) {
        return endpoint.withPort(endpoint.port() + by);
    }

    private UserAgent agent(Party party) {
        return party == Party.CALLER ? caller : callee;
    }

    private void capture(
            RtpSender sender, RtpSender.Leg leg, long ssrc, long timeNs, long index, SentCodec codec, byte[] bytes) {
        byte[] ip = tap.udpPacket(leg.source(), leg.destination(), bytes);
        long at = tap.ip(timeNs, leg.forward(), ip);
        Party from = leg.forward() ? Party.CALLER : Party.CALLEE;
        boolean video = codec.isVideo();
        StreamLedger ledger = streams.of(
                leg.source(),
                leg.destination(),
                ssrc,
                plan.joinedLate ? null : calls.callId(),
                plan.joinedLate ? null : from,
                video,
                plan.security != Security.NONE);
        for (int copy = 0; copy < tap.copies(); copy++) {
            ledger.note(copy == 0 ? at : at + tap.mirrorDelayNs(), index, codec, copy > 0);
            tallies.rtpPackets++;
        }
        if (codec.name().equals(SentCodec.TELEPHONE_EVENT.name())) {
            ledger.noteDigit(sender.eventNumber(), sender.eventKey());
        }
        if (codec.equals(sender.codec()) && sender.audioKey() != 0) {
            ledger.noteAudioDigit(sender.audioKeyNumber(), sender.audioKey());
        }
        int refusing = leg.forward() ? 1 : 0;
        if (refusals[refusing] > 0) {
            refusals[refusing]--;
            refuse(at + 150_000, leg.destination(), leg.source(), ip, !leg.forward());
        }
    }

    /** The port unreachable with which {@code from} answers an IP packet. */
    void refuse(long timeNs, Endpoint from, Endpoint to, byte[] ip, boolean forward) {
        tap.ip(timeNs, forward, Transports.portUnreachable(from, to, ip, from.isIpv4() ? 548 : 1232));
        calls.icmpError(tap.copies());
        tallies.icmpErrors += tap.copies();
    }

    /** ICE checks and the DTLS handshake, where the plan has them, just before the first media. */
    private void check(long timeNs) {
        RtpSender.Leg out = sound(Party.CALLER).path().getFirst();
        if (plan.ice) {
            byte[] transaction = new byte[12];
            random.nextBytes(transaction);
            datagram(
                    timeNs - 9 * MS,
                    true,
                    out,
                    Stun.bindingRequest(transaction, "clee:clr1", "callee-password-000000"));
            datagram(
                    timeNs - 8 * MS,
                    false,
                    out,
                    Stun.bindingResponse(transaction, out.source(), "callee-password-000000"));
            tallies.stunPackets += 2L * tap.copies();
        }
        if (plan.security == Security.DTLS) {
            List<byte[]> datagrams = Dtls.handshake(random);
            for (int i = 0; i < datagrams.size(); i++) {
                datagram(timeNs - (datagrams.size() - i) * MS, i % 2 == 0, out, datagrams.get(i));
            }
            tallies.dtlsPackets += (long) datagrams.size() * tap.copies();
        }
    }

    private void datagram(long timeNs, boolean forward, RtpSender.Leg out, byte[] bytes) {
        tap.udp(
                timeNs,
                forward,
                forward ? out.source() : out.destination(),
                forward ? out.destination() : out.source(),
                bytes);
    }

    /** T.38 instead of sound: UDPTL datagrams (ITU-T T.38) of both ends, every 20 ms. */
    void fax(long fromNs, long durationNs) {
        aim();
        RtpSender.Leg out = sound(Party.CALLER).path().getFirst();
        int sequence = 0;
        for (long time = fromNs; time < fromNs + durationNs; time += 20 * MS) {
            // sequence number; primary packet: T.30 indicator, no signal or CNG; no error recovery
            byte[] caller = new Octets()
                    .u16(sequence)
                    .u8(1)
                    .u8(sequence % 2 == 0 ? 0 : 2)
                    .u8(0)
                    .u8(0)
                    .toArray();
            byte[] callee = new Octets().u16(sequence).u8(1).u8(0).u8(0).u8(0).toArray();
            datagram(time, true, out, caller);
            datagram(time + 7 * MS, false, out, callee);
            tallies.t38Packets += 2L * tap.copies();
            sequence++;
        }
    }
}
