package io.offhook.calls;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.PacketContext;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipListener;
import io.offhook.calls.event.SipPacket;
import io.offhook.packet.Endpoint;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * A capture made by hand, on simulated time: SIP, RTP, RTCP and ICMP fed to an assembly one by one. The bytes that were
 * lent to it are spoilt afterwards, so that a machine that keeps them is found out.
 */
final class Scene {
    static final long START_NS = 1_700_000_000_000_000_000L;
    static final long MS = 1_000_000L;
    static final long SECOND = 1_000 * MS;

    private final CallAssembly assembly;
    private final RtpRows events = new RtpRows();
    private final Map<Flow, Integer> sent = new HashMap<>();
    private final Map<Flow, Integer> paused = new HashMap<>();
    private SipListener.Copy lastCopy = SipListener.Copy.FIRST;
    private long nowNs = START_NS;
    private long frame;
    private int identification;

    Scene() {
        assembly = new CallAssembly(
                CallAssembly.MOST_CALLS, 1, 1, MediaOptions.DEFAULT, (message, packet, copy) -> lastCopy = copy);
    }

    /** @param assembly what is fed */
    Scene(CallAssembly assembly) {
        this.assembly = assembly;
    }

    /** Goes on at so many milliseconds after the start. */
    Scene at(long milliseconds) {
        nowNs = START_NS + milliseconds * MS;
        return this;
    }

    Scene in(long milliseconds) {
        nowNs += milliseconds * MS;
        return this;
    }

    long nowNs() {
        return nowNs;
    }

    long frame() {
        return frame;
    }

    /** A message in a datagram of its own. */
    SipListener.Copy sip(Endpoint source, Endpoint destination, String text) {
        return sip(source, destination, text, ++identification);
    }

    SipListener.Copy sip(Endpoint source, Endpoint destination, String text, int ipIdentification) {
        frame++;
        SipPacket packet = packet(text, nowNs, frame, source, destination, ipIdentification);
        assembly.sip(0, packet);
        packet.segment().fill((byte) '#');
        assembly.publish();
        return lastCopy;
    }

    /** A message that the snap length cut at the end of the text, in the middle of a line. */
    void cut(Endpoint source, Endpoint destination, String text) {
        frame++;
        int whole = text.lastIndexOf('\n') + 1;
        SipPacket packet = packet(text, nowNs, frame, source, destination, ++identification);
        assembly.sip(
                0,
                new SipPacket(
                        SipMessageView.callIdHash(text.getBytes(StandardCharsets.UTF_8), 0, whole),
                        packet.context().withCutLength(text.length() - whole),
                        packet.transport(),
                        packet.ipIdentification(),
                        packet.segment(),
                        0,
                        whole));
        packet.segment().fill((byte) '#');
        assembly.publish();
    }

    /** IP identification of the last message. */
    int identification() {
        return identification;
    }

    static SipPacket packet(
            String text, long timestampNs, long frame, Endpoint source, Endpoint destination, int ipIdentification) {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment segment = bytes(octets);
        int length = octets.length;
        return new SipPacket(
                SipMessageView.callIdHash(octets, 0, length),
                new PacketContext(timestampNs, frame, source, destination),
                SipTransport.UDP,
                ipIdentification,
                segment,
                0,
                length);
    }

    private static MemorySegment bytes(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment.asSlice(0, bytes.length);
    }

    /** All of the flows at once, a packet each every 20 ms, for so many milliseconds. */
    Scene talk(long milliseconds, Flow... flows) {
        long endNs = nowNs + milliseconds * MS;
        for (; nowNs < endNs; nowNs += 20 * MS) {
            for (Flow flow : flows) {
                int number = sent.merge(flow, 1, Integer::sum) - 1;
                if (flow.lostEvery() == 0 || number % flow.lostEvery() != flow.lostEvery() - 1) {
                    flow.addTo(events, number, paused.getOrDefault(flow, 0), nowNs, ++frame);
                }
            }
        }
        assembly.rtp(0, events);
        events.clear();
        return this;
    }

    /** The flow's next packet is its first one again. */
    Scene begin(Flow flow) {
        sent.remove(flow);
        return this;
    }

    /** So many packets of the flow are sent, and lost. */
    Scene skip(Flow flow, int packets) {
        sent.merge(flow, packets, Integer::sum);
        return this;
    }

    /** The flow's clock goes on by so many packets, its numbers do not. */
    Scene pause(Flow flow, int packets) {
        paused.merge(flow, packets, Integer::sum);
        return this;
    }

    Scene rtcp(Endpoint source, Endpoint destination, String hex) {
        MemorySegment segment = bytes(HexFormat.of().parseHex(hex.replace(" ", "")));
        int length = (int) segment.byteSize();
        PacketContext context = new PacketContext(nowNs, ++frame, source, destination);
        assembly.rtcp(new RtcpPacket(context, segment, 0, length, length));
        segment.fill((byte) '#');
        return this;
    }

    Scene icmp(Endpoint reporter, Endpoint source, Endpoint destination, long callIdHash, IcmpEvent.Message message) {
        assembly.icmp(new IcmpEvent(nowNs, ++frame, reporter.withPort(0), source, destination, callIdHash, message));
        return this;
    }

    CallAssembly assembly() {
        return assembly;
    }

    /** What is known if the capture ends now. */
    CallReports reports() {
        return CallReports.of(assembly, nowNs, true, false);
    }

    /** The only call. */
    CallReport call() {
        CallReports reports = reports();
        if (reports.calls().size() != 1) {
            throw new AssertionError("there are " + reports.calls().size() + " calls");
        }
        return reports.calls().getFirst();
    }

    CallReport call(String callId) {
        return reports().calls().stream()
                .filter(call -> call.callId().equals(callId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no call " + callId));
    }
}
