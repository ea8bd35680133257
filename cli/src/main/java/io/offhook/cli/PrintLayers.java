package io.offhook.cli;

import io.offhook.packet.Application;
import io.offhook.packet.ApplicationFields;
import io.offhook.packet.ApplicationRecognizer;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerFields;
import io.offhook.packet.LayerType;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.WrapStatus;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtcpView;
import io.offhook.rtp.RtpView;
import io.offhook.rtp.SdesReader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Tells a sink the layers of a packet: those that {@link LayerFields} knows, and in the place of a payload the
 * application that it is: SIP, RTP and RTCP by the modules for them, others by {@link ApplicationFields}. Single-threaded.
 */
final class PrintLayers {
    private final LayerFields fields = new LayerFields();
    private final ApplicationRecognizer recognizer = new ApplicationRecognizer();
    private final ApplicationFields applicationFields = new ApplicationFields();
    private final SipMessageView sip = new SipMessageView();
    private final SipMultipart part = new SipMultipart();
    private final RtcpReader rtcp = new RtcpReader();
    private final RtcpView report = new RtcpView();
    private final SdesReader sdes = new SdesReader();

    /**
     * Tells all layers of a walked packet.
     *
     * @param protocol what its payload is, as {@link PrintSummary#protocol} says
     * @param rtp its RTP header, if the protocol is RTP
     */
    void describe(PacketWalker walker, String protocol, RtpView rtp, PrintSink sink) {
        boolean hasModule = protocol.equals("SIP") || protocol.equals("RTP") || protocol.equals("RTCP");
        Application application = hasModule ? Application.UNKNOWN : application(walker);
        boolean isChunk = walker.transport() >= 0 && walker.layerType(walker.transport()) == LayerType.SCTP;
        boolean isKnown = hasModule || application != Application.UNKNOWN && !isChunk;
        Forwarder forwarder = new Forwarder(sink, isKnown && walker.transport() >= 0);
        fields.describe(walker, forwarder);
        if (application != Application.UNKNOWN && (forwarder.isPayloadLeftOut || isChunk)) {
            application(application, walker, forwarder);
            return;
        }
        if (!forwarder.isPayloadLeftOut) {
            return;
        }
        int offset = (int) (walker.payloadOffset() - walker.frameOffset());
        switch (protocol) {
            case "SIP" -> sip(walker, offset, sink);
            case "RTP" -> rtp(rtp, offset, sink);
            default -> rtcp(walker, offset, sink);
        }
    }

    /** What the payload is, when it has no module of its own. */
    private Application application(PacketWalker walker) {
        Application application = recognizer.recognize(walker);
        return switch (application) {
            case SIP, RTP, RTCP -> Application.UNKNOWN;
            default -> application;
        };
    }

    private void application(Application application, PacketWalker walker, Forwarder forwarder) {
        MemorySegment segment = walker.segment();
        long at = recognizer.offset();
        int length = recognizer.length();
        forwarder.sink.layer(application.label(), (int) (at - walker.frameOffset()), length, false);
        forwarder.isPayload = false;
        applicationFields.describe(application, segment, at, length, forwarder);
        forwarder.sink.number("length", length);
        forwarder.sink.bytes("data", segment, at, length);
    }

    private void sip(PacketWalker walker, int offset, PrintSink sink) {
        WrapStatus status = sip.wrap(walker.segment(), walker.payloadOffset(), walker.payloadLength());
        sink.layer("sip", offset, Math.min(sip.bodyOffset(), walker.payloadLength()), status != WrapStatus.OK);
        sink.text("startLine", sip.startLine());
        if (sip.isRequest()) {
            sink.text("method", sip.methodText());
            sink.text("requestUri", sip.requestUri());
        } else {
            sink.number("statusCode", sip.statusCode());
            sink.text("reasonPhrase", sip.reasonPhrase());
        }
        for (int i = 0; i < sip.headerCount(); i++) {
            sink.header(sip.name(i), sip.value(i));
        }
        if (sip.bodyLength() > 0) {
            sink.number("bodyLength", sip.bodyLength());
            if (sip.findSdp(part)) {
                int at = (int) (walker.payloadOffset() - walker.frameOffset()) + part.offset();
                sink.layer("sdp", at, part.length(), status != WrapStatus.OK);
                sink.text("text", text(sip.octets(), part.offset(), part.length()));
            } else {
                sink.text("body", text(sip.octets(), sip.bodyOffset(), sip.bodyLength()));
            }
        }
    }

    private static String text(byte[] octets, int offset, int length) {
        return new String(octets, offset, length, StandardCharsets.UTF_8);
    }

    private static void rtp(RtpView rtp, int offset, PrintSink sink) {
        sink.layer("rtp", offset, rtp.headerLength(), false);
        sink.number("version", rtp.version());
        sink.flag("padding", rtp.padding());
        sink.flag("extension", rtp.extension());
        sink.flag("marker", rtp.marker());
        sink.number("payloadType", rtp.payloadType());
        sink.number("sequenceNumber", rtp.sequenceNumber());
        sink.number("timestamp", rtp.timestamp());
        sink.text("ssrc", hex(rtp.ssrc()));
        for (int i = 0; i < rtp.csrcCount(); i++) {
            sink.text("csrc" + (i + 1), hex(rtp.csrc(i)));
        }
        if (rtp.extension()) {
            sink.number("extensionProfile", rtp.extensionProfile());
            sink.bytes("extensionData", rtp.segment(), rtp.extensionOffset(), rtp.extensionLength());
        }
        if (rtp.paddingLength() > 0) {
            sink.number("paddingLength", rtp.paddingLength());
        }
        sink.number("payloadLength", rtp.payloadLength());
        sink.bytes("data", rtp.segment(), rtp.payloadOffset(), rtp.payloadCapturedLength());
    }

    private static String hex(long ssrc) {
        StringBuilder text = new StringBuilder("0x");
        for (int shift = 28; shift >= 0; shift -= 4) {
            text.append("0123456789ABCDEF".charAt((int) (ssrc >>> shift) & 15));
        }
        return text.toString();
    }

    private void rtcp(PacketWalker walker, int offset, PrintSink sink) {
        MemorySegment segment = walker.segment();
        long at = walker.payloadOffset();
        int length = walker.payloadLength();
        if (rtcp.wrap(segment, at, length, walker.payloadWireLength()) == WrapStatus.MALFORMED) {
            sink.layer("rtcp", offset, length, true);
            sink.bytes("data", segment, at, length);
            return;
        }
        int from = offset;
        WrapStatus status = rtcp.next(report);
        while (status == WrapStatus.OK || status == WrapStatus.MALFORMED) {
            if (status == WrapStatus.OK) {
                sink.layer("rtcp", from, report.packetLength(), false);
                report(sink, from);
                from += report.packetLength();
            }
            status = rtcp.next(report);
        }
    }

    private void report(PrintSink sink, int offset) {
        sink.number("packetType", report.packetType());
        sink.text("packetTypeName", report.packetTypeName());
        switch (report.packetType()) {
            case RtcpView.SENDER_REPORT -> {
                sink.text("ssrc", hex(report.senderSsrc()));
                sink.number("rtpTimestamp", report.rtpTimestamp());
                sink.number("packetCount", report.packetCount());
                sink.number("octetCount", report.octetCount());
            }
            case RtcpView.SOURCE_DESCRIPTION -> sdes(sink);
            case RtcpView.BYE -> {
                for (int i = 0; i < report.count(); i++) {
                    sink.text("source" + (i + 1), hex(report.byeSource(i)));
                }
                sink.text("reason", report.byeReason());
            }
            case RtcpView.TRANSPORT_FEEDBACK, RtcpView.PAYLOAD_FEEDBACK -> {
                sink.text("feedback", report.feedbackName());
                sink.text("ssrc", hex(report.senderSsrc()));
                sink.text("mediaSsrc", hex(report.mediaSsrc()));
            }
            case RtcpView.APPLICATION -> sink.text("name", report.applicationName());
            case RtcpView.RECEIVER_REPORT, RtcpView.EXTENDED_REPORT -> sink.text("ssrc", hex(report.senderSsrc()));
            default -> {}
        }
        for (int i = 0; i < report.reportCount(); i++) {
            int header = report.packetType() == RtcpView.SENDER_REPORT ? 28 : 8;
            sink.layer("rtcp.report", offset + header + 24 * i, 24, false);
            sink.text("ssrc", hex(report.reportSsrc(i)));
            sink.number("fractionLost", report.fractionLost(i));
            sink.number("cumulativeLost", report.cumulativeLost(i));
            sink.number("highestSequenceNumber", report.highestSequenceNumber(i));
            sink.number("jitter", report.jitter(i));
            sink.number("lastSenderReport", report.lastSenderReport(i));
            sink.number("delaySinceLastSenderReport", report.delaySinceLastSenderReport(i));
        }
    }

    private void sdes(PrintSink sink) {
        sdes.wrap(report);
        int item = 0;
        while (sdes.next()) {
            item++;
            sink.text("source" + item, hex(sdes.ssrc()));
            sink.text((sdes.type() == SdesReader.CNAME ? "cname" : "type" + sdes.type() + "Item") + item, sdes.text());
        }
    }

    /** Passes on what {@link LayerFields} tells, but for a payload that is told as a layer of its own. */
    private static final class Forwarder implements FieldVisitor {
        private final PrintSink sink;
        private final boolean leavesPayloadOut;
        private boolean isPayload;
        private boolean isPayloadLeftOut;

        Forwarder(PrintSink sink, boolean leavesPayloadOut) {
            this.sink = sink;
            this.leavesPayloadOut = leavesPayloadOut;
        }

        @Override
        public void layer(LayerType type, int offset, int headerLength, boolean isCut) {
            isPayload = leavesPayloadOut && type == LayerType.PAYLOAD;
            isPayloadLeftOut |= isPayload;
            if (!isPayload) {
                sink.layer(type.label(), offset, headerLength, isCut);
            }
        }

        @Override
        public void number(String name, long value) {
            if (!isPayload) {
                sink.number(name, value);
            }
        }

        @Override
        public void flag(String name, boolean value) {
            sink.flag(name, value);
        }

        @Override
        public void text(String name, String value) {
            sink.text(name, value);
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {
            if (!isPayload) {
                sink.bytes(name, segment, offset, length);
            }
        }
    }
}
