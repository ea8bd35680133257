package io.offhook.packet;

import java.lang.foreign.MemorySegment;

/** Fields of link layers that stand at no fixed place, for {@link LayerFields}. */
final class LinkDetails {
    private static final int SUBTYPE_CHASSIS_MAC = 4;
    private static final int SUBTYPE_PORT_MAC = 3;
    private static final int MAC_LENGTH = 6;

    private final LldpView lldp = new LldpView();
    private final CdpView cdp = new CdpView();
    private final PppoeView pppoe = new PppoeView();
    private final MacSecView macSec = new MacSecView();
    private final RadiotapView radiotap = new RadiotapView();
    private final WlanView wlan = new WlanView();
    private final FrameRelayView frameRelay = new FrameRelayView();
    private final TypeLengthValues lldpElements = new TypeLengthValues(TypeLengthValues.Form.LLDP_TLVS);
    private final TypeLengthValues cdpElements = new TypeLengthValues(TypeLengthValues.Form.CDP_TLVS);
    private final TypeLengthValues tags = new TypeLengthValues(TypeLengthValues.Form.PPPOE_TAGS);

    void describe(LayerType type, MemorySegment segment, long header, int length, FieldVisitor visitor) {
        switch (type) {
            case LLDP -> lldp(segment, header, length, visitor);
            case CDP -> cdp(segment, header, length, visitor);
            case PPPOE -> pppoe(segment, header, length, visitor);
            case MACSEC -> macSec(segment, header, length, visitor);
            case RADIOTAP -> radiotap(segment, header, length, visitor);
            case WLAN -> wlan(segment, header, length, visitor);
            case FRAME_RELAY -> frameRelay(segment, header, length, visitor);
            default -> throw new AssertionError(type);
        }
    }

    private void lldp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (lldp.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        visitor.number("chassisIdSubtype", lldp.chassisIdSubtype());
        boolean isMac = lldp.chassisIdSubtype() == SUBTYPE_CHASSIS_MAC;
        identifier("chassisId", segment, lldp.chassisIdOffset(), lldp.chassisIdLength(), isMac, visitor);
        visitor.number("portIdSubtype", lldp.portIdSubtype());
        isMac = lldp.portIdSubtype() == SUBTYPE_PORT_MAC;
        identifier("portId", segment, lldp.portIdOffset(), lldp.portIdLength(), isMac, visitor);
        visitor.number("ttl", lldp.ttl());
        lldp.elements(lldpElements);
        while (lldpElements.next()) {
            switch ((int) lldpElements.type()) {
                case LldpView.CHASSIS_ID, LldpView.PORT_ID, LldpView.TIME_TO_LIVE -> {}
                case LldpView.PORT_DESCRIPTION -> visitor.text("portDescription", text(lldpElements));
                case LldpView.SYSTEM_NAME -> visitor.text("systemName", text(lldpElements));
                case LldpView.SYSTEM_DESCRIPTION -> visitor.text("systemDescription", text(lldpElements));
                case LldpView.CAPABILITIES -> {
                    visitor.number("capabilities", lldpElements.u16(0));
                    visitor.number("enabledCapabilities", lldpElements.u16(2));
                }
                case LldpView.MANAGEMENT_ADDRESS -> bytes("managementAddress", lldpElements, visitor);
                case LldpView.ORGANISATION -> bytes("organisation", lldpElements, visitor);
                default -> bytes("element" + lldpElements.type(), lldpElements, visitor);
            }
        }
    }

    private static void identifier(
            String name, MemorySegment segment, long offset, int length, boolean isMac, FieldVisitor visitor) {
        if (isMac && length == MAC_LENGTH) {
            visitor.text(name, MacAddress.text(NetworkOrder.u48(segment, offset)));
        } else {
            visitor.bytes(name, segment, offset, length);
        }
    }

    private void cdp(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (cdp.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        cdp.elements(cdpElements);
        while (cdpElements.next()) {
            switch ((int) cdpElements.type()) {
                case 1 -> visitor.text("deviceId", text(cdpElements));
                case 3 -> visitor.text("portId", text(cdpElements));
                case 4 -> visitor.number("capabilities", cdpElements.u32(0));
                case 5 -> visitor.text("softwareVersion", text(cdpElements));
                case 6 -> visitor.text("platform", text(cdpElements));
                case 10 -> visitor.number("nativeVlan", cdpElements.u16(0));
                default -> bytes("element" + cdpElements.type(), cdpElements, visitor);
            }
        }
    }

    /** The tags of discovery (RFC 2516, appendix A). */
    private void pppoe(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (pppoe.wrap(segment, header, length) != WrapStatus.OK || pppoe.code() == PppoeView.SESSION_DATA) {
            return;
        }
        tags.wrap(segment, pppoe.payloadOffset(), pppoe.payloadLength());
        while (tags.next()) {
            switch ((int) tags.type()) {
                case 0x0101 -> visitor.text("serviceName", text(tags));
                case 0x0102 -> visitor.text("concentratorName", text(tags));
                case 0x0103 -> bytes("hostUnique", tags, visitor);
                case 0x0104 -> bytes("cookie", tags, visitor);
                case 0x0120 -> visitor.number("maximumPayload", tags.u16(0));
                default -> bytes("tag" + tags.type(), tags, visitor);
            }
        }
    }

    private void macSec(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (macSec.wrap(segment, header, length) == WrapStatus.OK && macSec.hasChannelIdentifier()) {
            visitor.bytes("channelIdentifier", segment, header + MacSecView.MIN_LENGTH, 8);
        }
    }

    private void radiotap(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (radiotap.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        if (radiotap.hasTimestamp()) {
            visitor.text("timestamp", Long.toUnsignedString(radiotap.timestamp()));
        }
        if (radiotap.hasFlags()) {
            visitor.number("flags", radiotap.flags());
        }
        if (radiotap.hasRate()) {
            visitor.number("rate", radiotap.rate());
        }
        if (radiotap.hasChannel()) {
            visitor.number("channelFrequency", radiotap.channelFrequency());
            visitor.number("channelFlags", radiotap.channelFlags());
        }
        if (radiotap.hasSignal()) {
            visitor.number("signal", radiotap.signal());
        }
        if (radiotap.hasNoise()) {
            visitor.number("noise", radiotap.noise());
        }
        if (radiotap.hasAntenna()) {
            visitor.number("antenna", radiotap.antenna());
        }
        if (radiotap.hasMcs()) {
            visitor.number("mcs", radiotap.mcs());
        }
    }

    private void wlan(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (wlan.wrap(segment, header, length) != WrapStatus.OK || wlan.headerLength() < 24) {
            return;
        }
        visitor.number("fragmentNumber", wlan.fragmentNumber());
        visitor.number("sequenceNumber", wlan.sequenceNumber());
        if (wlan.hasAddress4()) {
            visitor.text("address4", MacAddress.text(wlan.address4()));
        }
        if (wlan.hasQualityOfService()) {
            visitor.number("qualityOfService", wlan.qualityOfService());
        }
    }

    private void frameRelay(MemorySegment segment, long header, int length, FieldVisitor visitor) {
        if (frameRelay.wrap(segment, header, length) != WrapStatus.OK) {
            return;
        }
        visitor.number("dlci", frameRelay.dlci());
        visitor.flag("forwardCongestion", frameRelay.isForwardCongestion());
        visitor.flag("backwardCongestion", frameRelay.isBackwardCongestion());
        visitor.flag("discardEligible", frameRelay.isDiscardEligible());
    }

    private static void bytes(String name, TypeLengthValues list, FieldVisitor visitor) {
        visitor.bytes(name, list.segment(), list.valueOffset(), list.valueLength());
    }

    private static String text(TypeLengthValues list) {
        return AsciiText.text(list.segment(), list.valueOffset(), list.valueLength());
    }
}
