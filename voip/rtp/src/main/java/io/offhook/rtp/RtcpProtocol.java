package io.offhook.rtp;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;

/** RTCP (RFC 3550, 6), for output: by version, packet type and a length that fits (RFC 5761, 4). */
public final class RtcpProtocol extends Protocol {
    private static final int VERSION = 2;
    private static final int SSRC = 4;
    private static final int REPORT_LENGTH = 24;
    private static final int SENDER_LENGTH = 28;
    private static final int RECEIVER_LENGTH = 8;

    private final RtcpReader packets = new RtcpReader();
    private final RtcpView packet = new RtcpView();
    private final SdesReader sdes = new SdesReader();

    /** Ready for any datagram. */
    public RtcpProtocol() {
        super("rtcp", HeaderLayout.NONE);
    }

    @Override
    public boolean isLikely(Layer payload) {
        return payload.u8(0) >>> 6 == VERSION
                && RtcpReader.isPlausible(payload.segment(), payload.offset(), payload.length());
    }

    private WrapStatus wrap(Layer payload) {
        return packets.wrap(payload.segment(), payload.offset(), payload.length(), payload.wireLength());
    }

    /** Each packet of the compound as a layer, and each of its reports as another. */
    @Override
    public void message(Layer payload, FieldVisitor to) {
        if (wrap(payload) == WrapStatus.MALFORMED) {
            to.layer(label(), payload.position(), payload.length(), true);
            to.bytes("data", payload.segment(), payload.offset(), payload.length());
            return;
        }
        int from = payload.position();
        WrapStatus status = packets.next(packet);
        while (status == WrapStatus.OK || status == WrapStatus.MALFORMED) {
            if (status == WrapStatus.OK) {
                to.layer(label(), from, packet.packetLength(), false);
                head(to);
                reports(from, to);
                from += packet.packetLength();
            }
            status = packets.next(packet);
        }
    }

    /** Those of the first packet. */
    @Override
    public void fields(Layer layer, FieldVisitor to) {
        if (wrap(layer) != WrapStatus.MALFORMED && packets.next(packet) == WrapStatus.OK) {
            head(to);
        }
    }

    private void head(FieldVisitor to) {
        to.number("packetType", packet.packetType());
        to.text("packetTypeName", packet.packetTypeName());
        switch (packet.packetType()) {
            case RtcpView.SENDER_REPORT -> {
                to.text("ssrc", RtpProtocol.hex(packet.senderSsrc()));
                to.number("rtpTimestamp", packet.rtpTimestamp());
                to.number("packetCount", packet.packetCount());
                to.number("octetCount", packet.octetCount());
            }
            case RtcpView.SOURCE_DESCRIPTION -> sources(to);
            case RtcpView.BYE -> {
                for (int i = 0; i < packet.count(); i++) {
                    to.text("source" + (i + 1), RtpProtocol.hex(packet.byeSource(i)));
                }
                to.text("reason", packet.byeReason());
            }
            case RtcpView.TRANSPORT_FEEDBACK, RtcpView.PAYLOAD_FEEDBACK -> {
                to.text("feedback", packet.feedbackName());
                to.text("ssrc", RtpProtocol.hex(packet.senderSsrc()));
                to.text("mediaSsrc", RtpProtocol.hex(packet.mediaSsrc()));
            }
            case RtcpView.APPLICATION -> to.text("name", packet.applicationName());
            case RtcpView.RECEIVER_REPORT, RtcpView.EXTENDED_REPORT ->
                to.text("ssrc", RtpProtocol.hex(packet.senderSsrc()));
            default -> {}
        }
    }

    private void reports(int from, FieldVisitor to) {
        int header = packet.packetType() == RtcpView.SENDER_REPORT ? SENDER_LENGTH : RECEIVER_LENGTH;
        for (int i = 0; i < packet.reportCount(); i++) {
            to.layer("rtcp.report", from + header + REPORT_LENGTH * i, REPORT_LENGTH, false);
            to.text("ssrc", RtpProtocol.hex(packet.reportSsrc(i)));
            to.number("fractionLost", packet.fractionLost(i));
            to.number("cumulativeLost", packet.cumulativeLost(i));
            to.number("highestSequenceNumber", packet.highestSequenceNumber(i));
            to.number("jitter", packet.jitter(i));
            to.number("lastSenderReport", packet.lastSenderReport(i));
            to.number("delaySinceLastSenderReport", packet.delaySinceLastSenderReport(i));
        }
    }

    private void sources(FieldVisitor to) {
        sdes.wrap(packet);
        int item = 0;
        while (sdes.next()) {
            item++;
            to.text("source" + item, RtpProtocol.hex(sdes.ssrc()));
            to.text((sdes.type() == SdesReader.CNAME ? "cname" : "type" + sdes.type() + "Item") + item, sdes.text());
        }
    }

    @Override
    public boolean summarize(Layer layer, SafeText to) {
        WrapStatus whole = wrap(layer);
        if (whole == WrapStatus.MALFORMED) {
            to.text("encrypted or malformed, first SSRC=");
            to.hex(layer.length() >= SSRC + 4 ? layer.u32(SSRC) : 0, 8);
            return true;
        }
        boolean isFirst = true;
        WrapStatus status = packets.next(packet);
        while (status == WrapStatus.OK || status == WrapStatus.MALFORMED) {
            if (status == WrapStatus.OK) {
                to.text(isFirst ? "" : ", ");
                summarizePacket(to);
                isFirst = false;
            }
            status = packets.next(packet);
        }
        if (whole == WrapStatus.TRUNCATED) {
            to.text(isFirst ? "cut" : ", cut");
        }
        return true;
    }

    private void summarizePacket(SafeText to) {
        switch (packet.packetType()) {
            case RtcpView.SENDER_REPORT, RtcpView.RECEIVER_REPORT -> {
                to.text(packet.packetTypeName()).text(" SSRC=").hex(packet.senderSsrc(), 8);
                for (int i = 0; i < packet.reportCount(); i++) {
                    to.text(" of ").hex(packet.reportSsrc(i), 8);
                    to.text(" lost ").number(packet.cumulativeLost(i));
                    to.text(" jitter ").number(packet.jitter(i));
                }
            }
            case RtcpView.TRANSPORT_FEEDBACK, RtcpView.PAYLOAD_FEEDBACK -> to.text(packet.feedbackName());
            default -> to.text(packet.packetTypeName());
        }
    }
}
