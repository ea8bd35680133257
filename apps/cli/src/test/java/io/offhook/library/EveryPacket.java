package io.offhook.library;

import io.offhook.analysis.CallProtocols;
import io.offhook.filter.BpfInterpreter;
import io.offhook.filter.FilterCompiler;
import io.offhook.filter.FilterException;
import io.offhook.filter.PacketFilter;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerSet;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.fields.LayerFields;
import io.offhook.packet.fields.PacketDump;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.packet.walk.IcmpError;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.RtcpReports;
import io.offhook.rtp.RtpRows;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.RtpView;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SessionDescription;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import io.offhook.sip.SipValueCursor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Everything that can be asked of one frame: its layers and their fields, filters, and what its payload may be. */
final class EveryPacket implements FieldVisitor {
    private static final List<String> EXPRESSIONS = List.of(
            "tcp port 5060 or udp portrange 10000-20000",
            "ip6 protochain 17 or (vlan and ip host 10.1.2.3)",
            "mpls or pppoes or geneve",
            "ip[6:2] & 0x1fff != 0 or tcp[tcpflags] & tcp-syn != 0",
            "ether[0] & 1 = 1 and len > 60");

    final PacketWalker walker = new PacketWalker();
    private final PacketWalker upToTransport = new PacketWalker();
    private final LayerFields layers = new LayerFields();
    private final PacketSummary summary = new PacketSummary(CallProtocols.recognizer());
    private final PacketDump dump = new PacketDump();
    private final IcmpError error = new IcmpError();
    private final RtpView rtp = new RtpView();
    private final RtcpReports reports = new RtcpReports();
    private final RtpStream stream = new RtpStream();
    private final RtpRows rows = new RtpRows();
    private final SipMessageView sip = new SipMessageView();
    private final SipAddressView address = new SipAddressView();
    private final SipValueCursor values = new SipValueCursor();
    private final SipText text = new SipText();
    private final Map<Integer, List<PacketFilter>> filters = new HashMap<>();
    private final Tally tally;

    EveryPacket(Tally tally) {
        this.tally = tally;
    }

    /** @param frame the frame and nothing else, so that a read outside of it throws */
    void frame(MemorySegment frame, int wireLength, int linkType, long timestampNs) {
        int captured = (int) frame.byteSize();
        walker.walk(frame, 0, captured, wireLength, linkType);
        upToTransport.walk(frame, 0, captured, wireLength, linkType, LayerSet.TCP_OR_UDP);
        layers.describe(walker, this);
        for (int i = 0; i < walker.layerCount(); i++) {
            InternetChecksum.of(walker, i);
        }
        if (error.find(walker)) {
            tally.add("quoted packets", 1);
        }
        summary.describe(walker, linkType);
        dump.describe(walker, summary, this);
        tally.add("frames", 1);
        tally.add("layers", walker.layerCount());
        for (PacketFilter filter : filters.computeIfAbsent(linkType, EveryPacket::compile)) {
            tally.add("matches", filter.match(frame, 0, captured, wireLength) == 0 ? 0 : 1);
        }
        if (walker.payloadLength() > 0) {
            payload(frame.asSlice(walker.payloadOffset(), walker.payloadLength()), timestampNs);
        }
    }

    private static List<PacketFilter> compile(int linkType) {
        List<PacketFilter> filters = new ArrayList<>();
        for (String expression : EXPRESSIONS) {
            try {
                filters.add(PacketFilter.of(expression, linkType));
                filters.add(new BpfInterpreter(FilterCompiler.compile(expression, linkType, 0xffff)));
            } catch (FilterException e) {
                if (e.getMessage() == null) {
                    throw e;
                }
            }
        }
        return filters;
    }

    private void payload(MemorySegment payload, long timestampNs) {
        int length = (int) payload.byteSize();
        if (RtpView.isPlausible(payload, 0, length) && rtp.wrap(payload, 0, length) == WrapStatus.OK) {
            rows.clear();
            long header = rtp.timestamp() << 32
                    | (long) rtp.sequenceNumber() << 16
                    | (rtp.marker() ? 0x80 : 0)
                    | rtp.payloadType();
            long lengths = RtpRows.lengthsOfIpv6(rtp.payloadLength(), length);
            stream.packet(rows, rows.add(timestampNs, 0, header, Long.reverseBytes(rtp.payloadHead()), lengths));
            tally.add("RTP packets", 1);
        }
        reports.read(payload, 0, length, length, timestampNs);
        if (SipRecognizer.isMessageStart(payload, 0, length, text)) {
            sip.wrap(payload, 0, length);
            message();
        }
    }

    private void message() {
        for (SipHeader header : SipHeader.values()) {
            sip.find(header, 0);
            sip.address(header, address);
            values.start(sip, header);
            while (values.next()) {
                tally.add("SIP values", values.text().isEmpty() ? 0 : 1);
            }
        }
        sip.callIdEquals("x");
        SessionDescription description =
                SessionDescription.parse(sip.octets(), sip.bodyOffset(), Math.max(sip.bodyLength(), 0));
        for (MediaDescription media : description.media()) {
            media.endpoint();
            media.rtcpEndpoint();
            tally.add("media lines", media.toString().isEmpty() ? 0 : 1);
        }
        tally.add("SIP messages", 1);
    }

    @Override
    public void layer(String label, int position, int headerLength, boolean isCut) {}

    @Override
    public void number(String name, long value) {
        tally.add("fields", 1);
    }

    @Override
    public void flag(String name, boolean value) {
        tally.add("fields", 1);
    }

    @Override
    public void text(String name, String value) {
        tally.add("fields", 1);
    }

    @Override
    public void bytes(String name, MemorySegment segment, long offset, int length) {
        tally.add("fields", 1);
    }
}
