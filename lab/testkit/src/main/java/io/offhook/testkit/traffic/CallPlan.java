package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.Problem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call to be written: who and over what (settings, in any order), and what happens (steps, in the order in which they
 * are named).
 *
 * <pre>{@code
 * traffic.call(call -> call.from("alice").to("bob").codec(SentCodec.PCMA)
 *         .answered().talk(5000).dtmf("123#").hold(Party.CALLEE, HoldStyle.SENDONLY, 3000).talk(2000)
 *         .hangUp(Party.CALLER));
 * }</pre>
 *
 * Mutable, single-threaded.
 */
public final class CallPlan {
    /** How an end says that it holds the other. */
    public enum HoldStyle {
        /** a=sendonly, answered with recvonly; the holder continues to send: music. */
        SENDONLY,
        /** a=inactive; nobody sends. */
        INACTIVE,
        /** c=0.0.0.0 (RFC 2543); nobody sends. */
        ZERO_ADDRESS
    }

    /** What is wrong with Content-Length, if anything. */
    public enum ContentLength {
        RIGHT,
        MISSING,
        /** More than the body has: what follows is what came, in a datagram. */
        TOO_LONG
    }

    @Nullable
    String callId;

    @Nullable
    String from;

    @Nullable
    String to;

    String displayName = "";
    String sessionName = Sdp.STANDARD_NAME;
    Transport transport = Transport.UDP;
    boolean ipv6;
    Link link = Link.ethernet();
    final List<Encapsulation> encapsulations = new ArrayList<>();
    int proxies;
    boolean relayed;
    long mirrorDelayNs = -1;
    int mtu = Integer.MAX_VALUE;
    IpFragments.Style fragmentStyle = IpFragments.Style.IN_ORDER;
    List<SentCodec> codecs = List.of(SentCodec.PCMA);

    @Nullable
    RtcpShape rtcp;

    final Set<Party> silent = EnumSet.noneOf(Party.class);
    final Set<Party> behindNat = EnumSet.noneOf(Party.class);
    final Map<Party, Integer> refusedMedia = new EnumMap<>(Party.class);
    final Map<Party, Endpoint> mediaAt = new EnumMap<>(Party.class);
    final Map<Party, Endpoint> signallingAt = new EnumMap<>(Party.class);
    Security security = Security.NONE;
    boolean video;
    boolean bundled;
    boolean ice;
    boolean connectionInMedia;
    boolean announcement;
    SipMessage.Style style = SipMessage.Style.PLAIN;
    final Map<Party, String> software = new EnumMap<>(Party.class);
    final List<AddedHeader> headers = new ArrayList<>();
    ContentLength contentLength = ContentLength.RIGHT;
    boolean multipart;
    int bulkBytes;
    final List<String[]> inviteHeaders = new ArrayList<>();
    boolean midStream;
    boolean joinedLate;
    long tcpSequence = -1;
    Segmentation.Rule cutting = (random, number, length) -> Segmentation.random(random, length, random.nextInt(3));
    final List<Consumer<CallRun>> steps = new ArrayList<>();
    final Set<Problem> shown = EnumSet.noneOf(Problem.class);
    private final Map<Party, RtpShape> shapes = new EnumMap<>(Party.class);

    /**
     * A further header.
     *
     * @param of the method of requests, or the status of responses, that have it
     */
    record AddedHeader(String of, String name, String value) {}

    CallPlan() {}

    RtpShape shape(Party party) {
        return shapes.computeIfAbsent(party, p -> new RtpShape());
    }

    // --- who and over what

    public CallPlan callId(String value) {
        callId = value;
        return this;
    }

    /** User part of From. */
    public CallPlan from(String user) {
        from = user;
        return this;
    }

    /** Display name in From, any Unicode. */
    public CallPlan named(String name) {
        displayName = name;
        return this;
    }

    /** The s= line of each description, any Unicode. */
    public CallPlan sessionName(String name) {
        sessionName = name;
        return this;
    }

    /** User part of To. */
    public CallPlan to(String user) {
        to = user;
        return this;
    }

    public CallPlan over(Transport value) {
        transport = value;
        return this;
    }

    public CallPlan ipv6() {
        ipv6 = true;
        return this;
    }

    public CallPlan on(Link value) {
        link = value;
        return this;
    }

    /** Adds a tunnel around all its packets, outside of those that are there already. */
    public CallPlan through(Encapsulation outer) {
        encapsulations.add(outer);
        return this;
    }

    /** Proxies between the ends, with every hop captured and the Call-ID kept. */
    public CallPlan proxies(int count) {
        proxies = count;
        return this;
    }

    /** The first proxy also relays the media: each packet is captured before and behind it. Needs a proxy. */
    public CallPlan relayed() {
        relayed = true;
        return this;
    }

    /** Every packet is captured twice, by the tap's fault. */
    public CallPlan mirrored(int delayMicroseconds) {
        mirrorDelayNs = delayMicroseconds * 1000L;
        return this;
    }

    /** IP packets over {@code bytes} are cut; {@link #bulky} makes INVITEs that are. */
    public CallPlan fragmented(int bytes, IpFragments.Style value) {
        mtu = bytes;
        fragmentStyle = value;
        return this;
    }

    /** Adds a header of this length to the first INVITE. */
    public CallPlan bulky(int bytes) {
        bulkBytes = bytes;
        return this;
    }

    /** Adds a header to the first INVITE, as a B2BUA does that names the leg before it. */
    public CallPlan header(String name, String value) {
        inviteHeaders.add(new String[] {name, value});
        return this;
    }

    /** The codec that both ends use. */
    public CallPlan codec(SentCodec value) {
        return offering(value);
    }

    /** The caller offers these; the first is answered. */
    public CallPlan offering(SentCodec... offered) {
        codecs = List.of(offered);
        return this;
    }

    /** What a party's RTP looks like. */
    public CallPlan media(Party party, Consumer<RtpShape> change) {
        change.accept(shape(party));
        return this;
    }

    public CallPlan rtcp(Consumer<RtcpShape> change) {
        RtcpShape shape = rtcp == null ? new RtcpShape() : rtcp;
        change.accept(shape);
        rtcp = shape;
        return this;
    }

    /** Omits a party's RTP from the capture. */
    public CallPlan silent(Party... parties) {
        Collections.addAll(silent, parties);
        return this;
    }

    /** What the plan is made to show, where it does not follow from what was captured. */
    CallPlan shows(Problem... problems) {
        Collections.addAll(shown, problems);
        return this;
    }

    /** Puts a party behind NAT: its SIP and SDP have private addresses, its packets a public one with other ports. */
    public CallPlan behindNat(Party party) {
        behindNat.add(party);
        return this;
    }

    /** Sets the endpoint at which a party receives media. */
    public CallPlan mediaAt(Party party, Endpoint endpoint) {
        mediaAt.put(party, endpoint);
        return this;
    }

    public CallPlan signallingAt(Party party, Endpoint endpoint) {
        signallingAt.put(party, endpoint);
        return this;
    }

    public CallPlan secured(Security value) {
        security = value;
        return this;
    }

    public CallPlan video() {
        video = true;
        return this;
    }

    /** Audio and video on one port (RFC 9143). */
    public CallPlan bundled() {
        bundled = true;
        return this;
    }

    /** ICE candidates in the SDP; media goes to one that is not the c= line's address. */
    public CallPlan ice() {
        ice = true;
        return this;
    }

    /** Each medium has its own c= line; that of the session says something else. */
    public CallPlan connectionInMedia() {
        connectionInMedia = true;
        return this;
    }

    /** The callee answers with a=sendonly, so that only it speaks, and rightly so. */
    public CallPlan announcement() {
        announcement = true;
        silent.add(Party.CALLER);
        return this;
    }

    /** The User-Agent of a party's messages; "" for none. */
    public CallPlan software(Party party, String text) {
        software.put(party, text);
        return this;
    }

    /**
     * A further header in each message of a kind.
     *
     * @param of the method of requests ("INVITE"), or the status of responses ("486")
     */
    public CallPlan header(String of, String name, String value) {
        headers.add(new AddedHeader(of, name, value));
        return this;
    }

    public CallPlan style(SipMessage.Style value) {
        style = value;
        return this;
    }

    public CallPlan contentLength(ContentLength value) {
        contentLength = value;
        return this;
    }

    /** SDP comes as the second part of a multipart body. */
    public CallPlan multipart() {
        multipart = true;
        return this;
    }

    /** How messages are cut, over TCP and WebSocket. */
    public CallPlan cut(Segmentation.Rule value) {
        cutting = value;
        return this;
    }

    /** The TCP connection was there before the capture. */
    public CallPlan midStream() {
        midStream = true;
        return this;
    }

    /** Where both ends' TCP sequence numbers start: close to 2^32 for ones that wrap. */
    public CallPlan tcpSequence(long value) {
        tcpSequence = value;
        return this;
    }

    /** The first {@code packets} of RTP to a party are answered with ICMP port unreachable. */
    public CallPlan mediaRefusedBy(Party party, int packets) {
        refusedMedia.put(party, packets);
        return this;
    }

    // --- what happens: steps

    CallPlan step(Consumer<CallRun> step) {
        steps.add(step);
        return this;
    }

    /** Lets time pass. */
    public CallPlan after(long milliseconds) {
        return step(run -> run.after(milliseconds));
    }

    public CallPlan invite() {
        return step(run -> run.invite(true));
    }

    /** An INVITE without SDP: the offer comes in the 200, the answer in the ACK. */
    public CallPlan inviteWithoutOffer() {
        return step(run -> run.invite(false));
    }

    /** 401 or 407, ACK, and a new INVITE with credentials. */
    public CallPlan challenged(int status) {
        return step(run -> run.challenged(status));
    }

    public CallPlan trying() {
        return step(CallRun::trying);
    }

    public CallPlan ringing() {
        return step(CallRun::ringing);
    }

    /** A 180 from another place that a proxy forked the INVITE to, with a To tag of its own. */
    public CallPlan ringingElsewhere() {
        return step(CallRun::ringingElsewhere);
    }

    /** 183 with SDP. */
    public CallPlan progress() {
        return step(run -> run.progress(false));
    }

    /** 183 with the SDP answer, sent reliably (RFC 3262), and PRACK. */
    public CallPlan progressReliably() {
        return step(run -> run.progress(true));
    }

    /** 200 to the INVITE. */
    public CallPlan answer() {
        return step(CallRun::answer);
    }

    public CallPlan ack() {
        return step(CallRun::ack);
    }

    /** INVITE, 100, 180. */
    public CallPlan alerted() {
        return invite().trying().ringing();
    }

    /** 200 to the INVITE, and its ACK. */
    public CallPlan accepted() {
        return answer().ack();
    }

    /** INVITE, 100, 180, a second or so, 200, ACK. */
    public CallPlan answered() {
        return alerted().after(900).accepted();
    }

    /** A final response to the INVITE of 300 or more, and its ACK. */
    public CallPlan rejected(int status, String reason) {
        return step(run -> run.rejected(status, reason));
    }

    /** CANCEL, 200, 487, ACK. */
    public CallPlan cancelled() {
        return step(CallRun::cancelled);
    }

    /** CANCEL that meets the 200 on its way: 481 to it, ACK and BYE to that. */
    public CallPlan cancelledTooLate() {
        return step(CallRun::cancelledTooLate);
    }

    /** The message that was sent last is sent again {@code times} times, after 0.5 s, 1 s, 2 s... */
    public CallPlan retransmitted(int times) {
        return step(run -> run.retransmitted(times));
    }

    /** The packet of the message that was sent last, over UDP, is answered with ICMP port unreachable. */
    public CallPlan refused() {
        return step(CallRun::refused);
    }

    /** Both ends send sound (and pictures), except who is silent. */
    public CallPlan talk(long milliseconds) {
        return step(run -> run.talk(milliseconds, true, true));
    }

    /** Only one end sends. */
    public CallPlan talk(Party party, long milliseconds) {
        return step(run -> run.talk(milliseconds, party == Party.CALLER, party == Party.CALLEE));
    }

    /** The caller sends telephone events (RFC 4733), a key every quarter of a second. */
    public CallPlan dtmf(String keys) {
        return dtmf(Party.CALLER, keys);
    }

    public CallPlan dtmf(Party party, String keys) {
        return step(run -> run.dtmf(party, keys));
    }

    /** A party presses keys in its audio, six a second; the codec must be PCMA or PCMU. */
    public CallPlan dtmfInAudio(Party party, String keys) {
        return step(run -> run.dtmfInAudio(party, keys));
    }

    /** Re-INVITE to hold, the time on hold, re-INVITE to go on. */
    public CallPlan hold(Party by, HoldStyle how, long milliseconds) {
        return step(run -> run.hold(by, how, milliseconds));
    }

    /** Re-INVITE that moves the party's media to another port. */
    public CallPlan moveMedia(Party party) {
        return step(run -> run.change("INVITE", party, null));
    }

    /** UPDATE (RFC 3311) that moves the party's media to another port. */
    public CallPlan updateMedia(Party party) {
        return step(run -> run.change("UPDATE", party, null));
    }

    /** Re-INVITE that changes the codec. */
    public CallPlan changeCodec(Party by, SentCodec codec) {
        return step(run -> run.change("INVITE", by, codec));
    }

    /** A party's RTP continues with another offered payload type, without any SIP. */
    public CallPlan switchPayload(Party party, SentCodec codec) {
        return step(run -> run.switchPayload(party, codec));
    }

    /** A party's RTP continues with a new SSRC. */
    public CallPlan newSource(Party party) {
        return step(run -> run.newSource(party));
    }

    /** Re-INVITE to T.38 by the callee, and fax data. */
    public CallPlan fax(long milliseconds) {
        return step(run -> run.fax(milliseconds));
    }

    /** REFER (RFC 3515) of the other end to {@code target}, with its two NOTIFYs. */
    public CallPlan refer(Party by, String target) {
        return step(run -> run.refer(by, target));
    }

    /** A key sent by INFO, in the form of {@code application/dtmf-relay}. */
    public CallPlan keyByInfo(Party by, char key, int milliseconds) {
        String body = "Signal=" + key + "\r\nDuration=" + milliseconds + "\r\n";
        return step(run -> run.message(by, "INFO", "application/dtmf-relay", body));
    }

    /** A NOTIFY with a voice quality report (RFC 6035). */
    public CallPlan qualityReport(Party by, String body) {
        return step(run -> run.message(by, "NOTIFY", "application/vq-rtcpxr", body));
    }

    /** A keep-alive of the caller: CRLF CRLF, or a ping. */
    public CallPlan keepAlive() {
        return step(CallRun::keepAlive);
    }

    /** What these steps send goes out in one TCP segment for each direction. */
    public CallPlan inOneSegment(Consumer<CallPlan> together) {
        step(CallRun::cork);
        together.accept(this);
        return step(CallRun::uncork);
    }

    /**
     * The capture begins here, in the middle of an answered call: no captured SDP says where its media goes, so its
     * streams are nobody's.
     */
    public CallPlan alreadyAnswered() {
        joinedLate = true;
        return step(CallRun::alreadyAnswered);
    }

    /** BYE and its 200. */
    public CallPlan hangUp(Party by) {
        return step(run -> run.hangUp(by, 0));
    }

    /** Both ends talk, then one of them hangs up. */
    public CallPlan endedBy(Party by, long milliseconds) {
        return talk(milliseconds).hangUp(by);
    }

    /** BYE, sent again {@code times} times before its 200. */
    public CallPlan hangUpRetransmitted(Party by, int times) {
        return step(run -> run.hangUp(by, times));
    }

    /** BYE of both ends, within milliseconds, {@code first}'s before the other's. */
    public CallPlan bothHangUp(Party first) {
        return step(run -> run.bothHangUp(first));
    }

    /** A call that is answered, lasts so long, and is ended by one end. */
    public CallPlan completed(Party hangsUp, long milliseconds) {
        return answered().endedBy(hangsUp, milliseconds);
    }

    /** Ends the connection that carries SIP, where there is one. */
    public CallPlan disconnect() {
        return step(CallRun::disconnect);
    }
}
