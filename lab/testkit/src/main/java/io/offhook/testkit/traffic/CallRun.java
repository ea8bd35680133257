package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.traffic.SipDialog.Extra;
import io.offhook.testkit.traffic.SipDialog.Sent;
import io.offhook.testkit.traffic.SipDialog.Transaction;
import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.Party;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Carries out the steps of a {@link CallPlan}, one after the other, with a clock of its own. */
final class CallRun {
    private static final long MS = 1_000_000;
    private static final long T1_NS = 500 * MS;
    private static final long T2_NS = 4000 * MS;

    private final Random random;
    private final CallPlan plan;
    private final CallParts parts;
    private final UserAgent caller;
    private final UserAgent callee;
    private final SipDialog dialog;
    private final MediaSession media;
    private final SessionDescriber sdp;
    private final CallLedger ledger;
    private long now;
    private List<SentCodec> codecs;
    private @Nullable Transaction invite;
    private @Nullable Sent last;
    private boolean offered;
    private boolean answeredReliably;
    private boolean talking;

    CallRun(Random random, CallPlan plan, CallParts parts, long startNs) {
        this.random = random;
        this.plan = plan;
        this.parts = parts;
        this.caller = parts.caller();
        this.callee = parts.callee();
        this.dialog = parts.dialog();
        this.media = parts.media();
        this.sdp = parts.sdp();
        this.ledger = parts.ledger();
        this.now = startNs;
        this.codecs = plan.codecs;
    }

    /** The time at which the call has come. */
    long nowNs() {
        return now;
    }

    void after(long milliseconds) {
        now += milliseconds * MS;
    }

    private void pass(int leastMs, int mostMs) {
        now += leastMs * MS + random.nextInt((int) ((mostMs - leastMs) * MS / 1000) + 1) * 1000L;
    }

    // --- setting up

    void invite(boolean withOffer) {
        offered = withOffer;
        Extra extra = Extra.none()
                .header("Allow", "INVITE, ACK, CANCEL, BYE, PRACK, UPDATE, REFER, NOTIFY, OPTIONS")
                .header("Supported", "100rel, replaces, timer");
        if (plan.bulkBytes > 0) {
            extra.header("X-Bulk", "0123456789".repeat(plan.bulkBytes / 10 + 1).substring(0, plan.bulkBytes));
        }
        plan.inviteHeaders.forEach(header -> extra.header(header[0], header[1]));
        send(dialog.request(now, Party.CALLER, "INVITE", withOffer ? offer(extra) : extra));
    }

    private void send(Transaction transaction) {
        invite = transaction;
        last = transaction.sent();
    }

    private Extra offer(Extra extra) {
        return extra.body(sdp.describe(Party.CALLER, "sendrecv", codecs, false));
    }

    private Extra answer(Party from, String direction) {
        return Extra.none().body(sdp.describe(from, direction, codecs.subList(0, 1), false));
    }

    private Transaction pending() {
        if (invite == null) {
            throw new IllegalStateException("this step needs an INVITE before it");
        }
        return invite;
    }

    void challenged(int status) {
        pass(8, 20);
        boolean proxy = status == 407;
        String tag = Integer.toHexString(random.nextInt());
        dialog.respond(
                now,
                pending(),
                status,
                proxy ? "Proxy Authentication Required" : "Unauthorized",
                Extra.none()
                        .toTag(tag)
                        .header(
                                proxy ? "Proxy-Authenticate" : "WWW-Authenticate",
                                "Digest realm=\"example.com\", nonce=\"" + tag + "\", algorithm=MD5, qop=\"auth\""));
        pass(3, 6);
        dialog.acknowledgeFailure(now, pending(), tag);
        pass(3, 6);
        ledger.triedAgain();
        Extra extra = Extra.none()
                .header(
                        proxy ? "Proxy-Authorization" : "Authorization",
                        "Digest username=\"" + caller.user + "\", realm=\"example.com\", nonce=\"" + tag
                                + "\", uri=\"" + pending().uri()
                                + "\", response=\"0123456789abcdef0123456789abcdef\", algorithm=MD5");
        send(dialog.request(now, Party.CALLER, "INVITE", offered ? offer(extra) : extra));
    }

    void trying() {
        pass(5, 12);
        last = dialog.respond(now, pending(), 100, "Trying", Extra.none());
    }

    void ringing() {
        pass(60, 160);
        last = dialog.respond(now, pending(), 180, "Ringing", Extra.none());
    }

    void ringingElsewhere() {
        pass(20, 60);
        String tag = "fork-" + Integer.toHexString(random.nextInt());
        last = dialog.respond(now, pending(), 180, "Ringing", Extra.none().toTag(tag));
    }

    void progress(boolean reliably) {
        pass(60, 160);
        Extra extra = answer(Party.CALLEE, "sendrecv");
        if (!reliably) {
            last = dialog.respond(now, pending(), 183, "Session Progress", extra);
            return;
        }
        extra.header("Require", "100rel").header("RSeq", "1");
        dialog.respond(now, pending(), 183, "Session Progress", extra);
        answeredReliably = true;
        dialog.establish();
        pass(10, 20);
        Extra acknowledged = Extra.none().header("RAck", "1 " + pending().sequence() + " INVITE");
        Transaction prack = dialog.request(now, Party.CALLER, "PRACK", acknowledged);
        pass(10, 20);
        last = dialog.respond(now, prack, 200, "OK", Extra.none());
    }

    void answer() {
        pass(20, 60);
        String direction = plan.announcement ? "sendonly" : "sendrecv";
        Extra extra = answeredReliably
                ? Extra.none()
                : offered
                        ? answer(Party.CALLEE, direction)
                        : Extra.none().body(sdp.describe(Party.CALLEE, direction, codecs, false));
        last = dialog.respond(now, pending(), 200, "OK", extra);
        ledger.answeredWith(codecs.getFirst().name());
        dialog.establish();
    }

    void ack() {
        pass(8, 16);
        Extra extra = offered ? Extra.none() : answer(Party.CALLER, "sendrecv");
        last = dialog.acknowledge(now, pending(), extra).sent();
        pass(5, 10);
    }

    void alreadyAnswered() {
        dialog.establishedAt(2 + random.nextInt(4));
    }

    // --- not answered

    void rejected(int status, String reason) {
        pass(40, 90);
        Extra extra = Extra.none();
        if (status < 400) {
            extra.header("Contact", "<sip:moved@" + Addresses.inUri(callee.contact) + ":5070>");
        }
        dialog.respond(now, pending(), status, reason, extra);
        pass(5, 12);
        dialog.acknowledgeFailure(now, pending(), callee.tag);
    }

    void cancelled() {
        pass(20, 60);
        Transaction cancel = cancel();
        pass(5, 12);
        dialog.respond(now, cancel, 200, "OK", Extra.none());
        pass(3, 8);
        dialog.respond(now, pending(), 487, "Request Terminated", Extra.none());
        pass(5, 12);
        dialog.acknowledgeFailure(now, pending(), callee.tag);
    }

    private Transaction cancel() {
        Transaction of = pending();
        return dialog.request(now, Party.CALLER, "CANCEL", of.sequence(), of.branch(), Extra.none());
    }

    void cancelledTooLate() {
        Transaction cancel = cancel();
        now += 2 * MS;
        last = dialog.respond(now, pending(), 200, "OK", answer(Party.CALLEE, "sendrecv"));
        ledger.answeredWith(codecs.getFirst().name());
        pass(3, 8);
        dialog.respond(now, cancel, 481, "Call/Transaction Does Not Exist", Extra.none());
        dialog.establish();
        ack();
        hangUp(Party.CALLER, 0);
    }

    void retransmitted(int times) {
        Sent sent = sentLast();
        // RFC 3261: INVITEs double without limit (17.1.1.2), all else at most up to T2 (17.1.2.2, 13.3.1.4)
        boolean doubles = sent.method().equals("INVITE") && sent.request();
        long interval = T1_NS;
        for (int i = 0; i < times; i++) {
            now += interval;
            dialog.repeat(now, sent);
            interval = doubles ? interval * 2 : Math.min(interval * 2, T2_NS);
        }
    }

    private Sent sentLast() {
        if (last == null) {
            throw new IllegalStateException("this step needs a message before it");
        }
        return last;
    }

    void refused() {
        if (!(parts.hops().getFirst() instanceof SipChannel.Datagrams channel)) {
            throw new IllegalStateException("only UDP is refused with port unreachable");
        }
        media.refuse(now + MS / 2, callee.signalling, caller.signalling, channel.lastPacket(), false);
    }

    // --- media

    void talk(long milliseconds, boolean callerActive, boolean calleeActive) {
        media.run(now, milliseconds * MS, callerActive, calleeActive);
        now += milliseconds * MS;
        talking = callerActive && calleeActive;
    }

    void dtmf(Party party, String keys) {
        media.sound(party).dial(keys);
        long packets = 2 + keys.length() * (RtpSender.PACKETS_FOR_DIGIT + 1L);
        talk(packets * codecs.getFirst().ptimeMs(), true, true);
    }

    void dtmfInAudio(Party party, String keys) {
        media.sound(party).dialInAudio(keys);
        talk(AudioKeySender.milliseconds(keys.length()) + 300, true, true);
    }

    void switchPayload(Party party, SentCodec codec) {
        media.sound(party).codec(codec, SentCodec.TELEPHONE_EVENT.payloadType());
    }

    void newSource(Party party) {
        media.sound(party).newSource();
    }

    /** Media continues during the next exchange. */
    private void exchange(long milliseconds) {
        if (talking) {
            media.run(now, milliseconds * MS, true, true);
        }
    }

    // --- changes

    /** A re-INVITE or UPDATE with the offer and answer given; returns the time of its 200. */
    private long renegotiate(String method, Party by, Extra offer, Extra answer) {
        Transaction transaction = dialog.request(now, by, method, offer);
        now += 25 * MS;
        Sent accepted = dialog.respond(now, transaction, 200, "OK", answer);
        now += 15 * MS;
        if (method.equals("INVITE")) {
            dialog.acknowledge(now, transaction, Extra.none());
        }
        now += 5 * MS;
        last = accepted;
        return accepted.firstNs();
    }

    private Extra session(Party from, String direction, boolean zeroAddress) {
        return Extra.none().body(sdp.describe(from, direction, codecs.subList(0, 1), zeroAddress));
    }

    void hold(Party by, CallPlan.HoldStyle how, long milliseconds) {
        boolean zero = how == CallPlan.HoldStyle.ZERO_ADDRESS;
        boolean music = how == CallPlan.HoldStyle.SENDONLY;
        String offered = how == CallPlan.HoldStyle.INACTIVE ? "inactive" : "sendonly";
        exchange(45);
        long from = renegotiate(
                "INVITE",
                by,
                session(by, offered, zero),
                session(by.other(), music || zero ? "recvonly" : "inactive", false));
        boolean wasTalking = talking;
        talk(milliseconds, music && by == Party.CALLER, music && by == Party.CALLEE);
        talking = false;
        long until = renegotiate("INVITE", by, session(by, "sendrecv", false), session(by.other(), "sendrecv", false));
        talking = wasTalking;
        ledger.held(new CallTruth.Hold(by, from, until));
    }

    void change(String method, Party by, @Nullable SentCodec codec) {
        exchange(45);
        if (codec == null) {
            UserAgent agent = by == Party.CALLER ? caller : callee;
            Endpoint said = agent.media.withPort(agent.media.port() + 100);
            agent.moveMedia(said, agent.mediaSeen.withPort(agent.mediaSeen.port() + 100));
        } else {
            codecs = List.of(codec);
        }
        renegotiate(method, by, session(by, "sendrecv", false), session(by.other(), "sendrecv", false));
        if (codec != null) {
            for (Party party : Party.values()) {
                media.sound(party).codec(codec, SentCodec.TELEPHONE_EVENT.payloadType());
            }
        }
    }

    void fax(long milliseconds) {
        exchange(45);
        renegotiate(
                "INVITE",
                Party.CALLEE,
                Extra.none().body(sdp.describeFax(Party.CALLEE)),
                Extra.none().body(sdp.describeFax(Party.CALLER)));
        ledger.changedToFax();
        talking = false;
        media.fax(now, milliseconds * MS);
        now += milliseconds * MS;
    }

    void refer(Party by, String target) {
        exchange(150);
        String uri = "<sip:" + target + "@" + Addresses.inUri(callee.contact) + ">";
        Transaction refer = dialog.request(now, by, "REFER", Extra.none().header("Refer-To", uri));
        now += 20 * MS;
        dialog.respond(now, refer, 202, "Accepted", Extra.none());
        now += 20 * MS;
        notifyOf(by.other(), "active;expires=60", "SIP/2.0 100 Trying\r\n");
        now += 50 * MS;
        notifyOf(by.other(), "terminated;reason=noresource", "SIP/2.0 200 OK\r\n");
        now += 20 * MS;
    }

    private void notifyOf(Party from, String state, String fragment) {
        Extra extra = Extra.none()
                .header("Event", "refer")
                .header("Subscription-State", state)
                .body("message/sipfrag;version=2.0", fragment.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        Transaction notify = dialog.request(now, from, "NOTIFY", extra);
        now += 20 * MS;
        dialog.respond(now, notify, 200, "OK", Extra.none());
    }

    /** Another request within the dialog, with a body, and its 200. */
    void message(Party by, String method, String type, String body) {
        exchange(60);
        Extra extra = Extra.none().body(type, body.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        Transaction request = dialog.request(now, by, method, extra);
        now += 15 * MS;
        last = dialog.respond(now, request, 200, "OK", Extra.none());
        now += 15 * MS;
    }

    // --- ending

    void hangUp(Party by, int retransmissions) {
        Transaction bye = dialog.request(now, by, "BYE", Extra.none());
        media.close(now);
        last = bye.sent();
        retransmitted(retransmissions);
        pass(6, 12);
        last = dialog.respond(now, bye, 200, "OK", Extra.none());
    }

    void bothHangUp(Party first) {
        Transaction one = dialog.request(now, first, "BYE", Extra.none());
        now += 2 * MS;
        Transaction two = dialog.request(now, first.other(), "BYE", Extra.none());
        media.close(now);
        now += 4 * MS;
        dialog.respond(now, one, 200, "OK", Extra.none());
        now += 2 * MS;
        dialog.respond(now, two, 200, "OK", Extra.none());
    }

    // --- the connection

    void keepAlive() {
        parts.hops().getFirst().keepAlive(now, true);
        now += 2 * MS;
    }

    void cork() {
        parts.hops().forEach(SipChannel::cork);
    }

    void uncork() {
        parts.hops().forEach(SipChannel::uncork);
        now += 3 * MS;
    }

    void disconnect() {
        now += 20 * MS;
        parts.hops().forEach(hop -> hop.close(now));
    }
}
