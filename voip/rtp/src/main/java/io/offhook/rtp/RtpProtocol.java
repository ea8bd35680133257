package io.offhook.rtp;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.Layers;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;

/**
 * RTP (RFC 3550, 5.1), for output: by its form, and by what its flow carried before. So one is asked of all packets, in
 * the order of the capture, once each.
 */
public final class RtpProtocol extends Protocol {
    private static final int LOWEST_PORT = 1024;

    private final RtpFlowMemory flows = new RtpFlowMemory();
    private final RtpView rtp = new RtpView();

    /** Has seen no packet yet. */
    public RtpProtocol() {
        super("rtp", HeaderLayout.NONE);
    }

    @Override
    public boolean isLikely(Layer payload) {
        if (!RtpView.isPlausible(payload.segment(), payload.offset(), payload.length(), payload.wireLength())
                || !wrap(payload)) {
            return false;
        }
        Layers packet = payload.packet();
        int type = rtp.payloadType();
        boolean isOfUsers = Math.min(packet.sourcePort(), packet.destinationPort()) >= LOWEST_PORT;
        boolean isLikely = (isOfUsers || packet.transport() < 0) // bytes alone have no ports
                && (PayloadType.staticCodec(type) != null || PayloadType.isDynamic(type));
        return flows.isRtp(flow(packet), rtp.ssrc(), rtp.sequenceNumber(), isLikely);
    }

    private boolean wrap(Layer payload) {
        return rtp.wrap(payload.segment(), payload.offset(), payload.length(), payload.wireLength()) == WrapStatus.OK;
    }

    private static long flow(Layers packet) {
        long hash = packet.sourceHigh() * 0x9e3779b97f4a7c15L ^ packet.sourceLow();
        hash = hash * 0x9e3779b97f4a7c15L ^ packet.destinationHigh();
        hash = hash * 0x9e3779b97f4a7c15L ^ packet.destinationLow();
        hash = hash * 0x9e3779b97f4a7c15L ^ (long) packet.sourcePort() << 16 ^ packet.destinationPort();
        hash = (hash ^ hash >>> 29) * 0xc2b2ae3d27d4eb4fL;
        return hash | 1L << 63;
    }

    @Override
    public void message(Layer payload, FieldVisitor to) {
        if (wrap(payload)) {
            to.layer(label(), payload.position(), rtp.headerLength(), false);
            fields(payload, to);
        }
    }

    @Override
    public void fields(Layer layer, FieldVisitor to) {
        if (!wrap(layer)) {
            return;
        }
        to.number("version", rtp.version());
        to.flag("padding", rtp.padding());
        to.flag("extension", rtp.extension());
        to.flag("marker", rtp.marker());
        to.number("payloadType", rtp.payloadType());
        to.number("sequenceNumber", rtp.sequenceNumber());
        to.number("timestamp", rtp.timestamp());
        to.text("ssrc", hex(rtp.ssrc()));
        for (int i = 0; i < rtp.csrcCount(); i++) {
            to.text("csrc" + (i + 1), hex(rtp.csrc(i)));
        }
        if (rtp.extension()) {
            to.number("extensionProfile", rtp.extensionProfile());
            to.bytes("extensionData", rtp.segment(), rtp.extensionOffset(), rtp.extensionLength());
        }
        if (rtp.paddingLength() > 0) {
            to.number("paddingLength", rtp.paddingLength());
        }
        to.number("payloadLength", rtp.payloadLength());
        to.bytes("data", rtp.segment(), rtp.payloadOffset(), rtp.payloadCapturedLength());
    }

    /** A synchronization source, as fields have it: eight digits, A to F. */
    static String hex(long ssrc) {
        StringBuilder text = new StringBuilder("0x");
        for (int shift = 28; shift >= 0; shift -= 4) {
            text.append("0123456789ABCDEF".charAt((int) (ssrc >>> shift) & 15));
        }
        return text.toString();
    }

    @Override
    public boolean summarize(Layer layer, SafeText to) {
        if (!wrap(layer)) {
            return false;
        }
        Codec codec = PayloadType.staticCodec(rtp.payloadType());
        to.text("PT=").number(rtp.payloadType());
        if (codec != null) {
            to.text(" ").text(codec.encodingName());
        }
        to.text(" SSRC=").hex(rtp.ssrc(), 8);
        to.text(" Seq=").number(rtp.sequenceNumber());
        to.text(" Time=").number(rtp.timestamp());
        to.text(rtp.marker() ? " Mark" : "");
        return true;
    }
}
