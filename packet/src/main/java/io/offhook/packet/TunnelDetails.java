package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Fields of tunnel headers that stand at no fixed place, for {@link LayerFields}. */
final class TunnelDetails {
    private static final int L2TP_OVER_IP_LENGTH = 4;

    private final ErspanView erspan = new ErspanView();
    private final TeredoView teredo = new TeredoView();
    private final L2tpView l2tp = new L2tpView();
    private final GtpCView gtpC = new GtpCView();

    void describe(LayerType type, MemorySegment segment, long header, int length, FieldVisitor visitor) {
        switch (type) {
            case ERSPAN -> erspan(segment, header, length, visitor);
            case TEREDO -> teredo(segment, header, length, visitor);
            case L2TP -> l2tp(segment, header, length, visitor);
            case GTP_C -> gtpC(segment, header, length, visitor);
            default -> throw new AssertionError(type);
        }
    }

    private void erspan(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (erspan.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (erspan.version() == ErspanView.TYPE_2) {
            visitor.number("index", erspan.index());
            return;
        }
        visitor.number("timestamp", erspan.timestamp());
        visitor.number("securityGroup", erspan.securityGroup());
        visitor.number("frameType", erspan.frameType());
        visitor.number("hardwareId", erspan.hardwareId());
        visitor.flag("egress", erspan.isEgress());
        visitor.number("granularity", erspan.granularity());
    }

    private void teredo(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (length == 0 || teredo.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (teredo.hasAuthentication()) {
            visitor.number("confirmation", teredo.confirmation());
        }
        if (teredo.hasOrigin()) {
            visitor.number("originPort", teredo.originPort());
            visitor.text(
                    "originAddress",
                    Endpoint.ofIpv4((int) teredo.originAddress(), 0).addressText());
        }
    }

    /** Of L2TP over IP, which is version 3, there is the session only. */
    private void l2tp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (length == L2TP_OVER_IP_LENGTH) {
            visitor.number("sessionId", NetworkOrder.u32(segment, header));
        } else if (l2tp.wrap(segment, header, length) == WrapStatus.OK) {
            visitor.flag("control", l2tp.isControl());
            visitor.number("tunnelId", l2tp.tunnelId());
            visitor.number("sessionId", l2tp.sessionId());
            if (l2tp.hasSequenceNumber()) {
                visitor.number("sequenceNumber", l2tp.sequenceNumber());
                visitor.number("expectedSequenceNumber", l2tp.expectedSequenceNumber());
            }
        }
    }

    private void gtpC(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (gtpC.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (gtpC.hasTeid()) {
            visitor.number("teid", gtpC.teid());
        }
        if (gtpC.hasSequenceNumber()) {
            visitor.number("sequenceNumber", gtpC.sequenceNumber());
        }
    }
}
