package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;
import static io.offhook.filter.Loads.Base.LINK_HEADER;
import static io.offhook.filter.Loads.Base.PACKET;

/**
 * Tests of ATM cells behind the pseudo-header of SunATM, and of SS7: MTP2 signal units (ITU-T Q.703) and MTP3 (Q.704).
 */
final class Signalling {
    private static final int LANE = 1;
    private static final int LLC = 2;

    private static final int VPI = 1;
    private static final int VCI = 2;
    /** The offset of the message type of a Q.2931 message in the payload. */
    private static final int MESSAGE_TYPE = 5;

    private static final int CALL_PROCEEDING = 0x02;
    private static final int SETUP = 0x05;
    private static final int CONNECT = 0x07;
    private static final int CONNECT_ACKNOWLEDGE = 0x0f;
    private static final int RELEASE = 0x4d;
    private static final int RELEASE_COMPLETE = 0x5a;

    private final LinkPosition state;
    private final Loads loads;

    Signalling(LinkPosition state, Loads loads) {
        this.state = state;
        this.loads = loads;
    }

    Condition kind(String word) {
        switch (word) {
            case "fisu", "lssu", "msu", "hfisu", "hlssu", "hmsu" -> {
                return signalUnit(word);
            }
            default -> {
                if (!state.isAtm) {
                    throw state.error("'" + shown(word) + "' supported only on raw ATM");
                }
            }
        }
        return switch (word) {
            case "metac" -> circuit(1);
            case "bcc" -> circuit(2);
            case "oamf4sc" -> circuit(3);
            case "oamf4ec" -> circuit(4);
            case "sc" -> circuit(5);
            case "ilmic" -> circuit(16);
            case "lane" -> lane();
            case "oam", "oamf4" -> {
                Condition segment = loads.equal(LINK_HEADER, VCI, H, 3);
                Condition either = segment.or(loads.equal(LINK_HEADER, VCI, H, 4));
                yield loads.equal(LINK_HEADER, VPI, B, 0).and(either);
            }
            case "connectmsg" ->
                circuit(5)
                        .and(messages(SETUP, CALL_PROCEEDING, CONNECT, CONNECT_ACKNOWLEDGE, RELEASE, RELEASE_COMPLETE));
            default -> circuit(1).and(messages(SETUP, CALL_PROCEEDING, CONNECT, RELEASE, RELEASE_COMPLETE));
        };
    }

    private static String shown(String word) {
        return word.startsWith("oamf4") && word.length() > 5 ? "oam4" + word.substring(5) : word;
    }

    private Condition circuit(int vci) {
        Condition vpi = loads.equal(LINK_HEADER, VPI, B, 0);
        return vpi.and(loads.equal(LINK_HEADER, VCI, H, vci));
    }

    private Condition messages(int first, int second, int... more) {
        Condition condition = message(first).or(message(second));
        for (int type : more) {
            condition = message(type).or(condition);
        }
        return condition;
    }

    private Condition message(int type) {
        return loads.equal(LINK_HEADER, state.atmPayload + MESSAGE_TYPE, B, type);
    }

    /** LAN emulation: whatever follows in the expression applies to the Ethernet header inside. */
    private Condition lane() {
        Condition condition = loads.masked(LINK_HEADER, 0, B, LANE, 0x0f);
        LinkPosition.Offset ethernet = new LinkPosition.Offset();
        ethernet.constant = state.atmPayload + 2;
        state.enter(Dlt.EN10MB, ethernet);
        state.type.constant = ethernet.constant + 12;
        state.payload.constant = ethernet.constant + 14;
        state.network = 0;
        state.networkBehindLlc = 3;
        return condition;
    }

    /** LLC on ATM: whatever follows applies to LLC, even after {@code lane}. */
    Condition llc() {
        Condition condition = loads.masked(LINK_HEADER, 0, B, LLC, 0x0f);
        state.linkType = state.previousLinkType;
        return condition;
    }

    private Condition signalUnit(String word) {
        if (!Dlt.isMtp2(state.linkType)) {
            throw state.error("'" + word + "' supported only on " + (word.startsWith("h") ? "MTP2_HSL" : "MTP2"));
        }
        int length = state.lengthIndicator;
        int longLength = state.longLengthIndicator;
        return switch (word) {
            case "fisu" -> loads.compare(PACKET, length, B, 0x3f, JEQ, false, 0);
            case "lssu" -> {
                Condition atMost = loads.compare(PACKET, length, B, 0x3f, JGT, true, 2);
                yield loads.compare(PACKET, length, B, 0x3f, JGT, false, 0).and(atMost);
            }
            case "msu" -> loads.compare(PACKET, length, B, 0x3f, JGT, false, 2);
            case "hfisu" -> loads.compare(PACKET, longLength, H, 0xff80, JEQ, false, 0);
            case "hlssu" -> {
                Condition atMost = loads.compare(PACKET, longLength, H, 0xff80, JGT, true, 0x0100);
                yield loads.compare(PACKET, longLength, H, 0xff80, JGT, false, 0)
                        .and(atMost);
            }
            default -> loads.compare(PACKET, longLength, H, 0xff80, JGT, false, 0x0100);
        };
    }

    Condition field(Expression.SignallingField field) {
        if (field.word().charAt(0) == 'v') {
            if (!state.isAtm) {
                throw state.error("'" + field.word() + "' supported only on raw ATM");
            }
            boolean isPath = "vpi".equals(field.word());
            return loads.compare(
                    LINK_HEADER,
                    isPath ? VPI : VCI,
                    isPath ? B : H,
                    -1,
                    field.operation(),
                    field.isInverse(),
                    field.value());
        }
        boolean isHighSpeed = field.word().charAt(0) == 'h';
        String name = isHighSpeed ? field.word().substring(1) : field.word();
        if (state.serviceInformation == LinkPosition.NOT_SET) {
            throw state.error("'" + name + "' supported only on SS7");
        }
        int shift = isHighSpeed ? 3 : 0;
        return switch (name) {
            case "sio" -> mtp3(field, name, 255, state.serviceInformation + shift, B, -1);
            case "opc" -> mtp3(field, name, 16383, state.pointCodes + shift, W, 0x00c0_ff0f);
            case "dpc" -> mtp3(field, name, 16383, state.pointCodes + shift, W, 0xff3f_0000);
            default -> mtp3(field, name, 15, state.linkSelection + shift, B, 0xf0);
        };
    }

    private Condition mtp3(Expression.SignallingField field, String name, int max, int offset, int size, int mask) {
        int value = field.value();
        if (Integer.compareUnsigned(value, max) > 0) {
            throw state.error(name + " value " + Integer.toUnsignedString(value) + " too big; max value = " + max);
        }
        int onWire = switch (name) { // label bits are transmitted low first (Q.704, 2.2)
            case "opc" -> (value & 0x3c00) >> 10 | (value & 0x03fc) << 6 | (value & 3) << 22;
            case "dpc" -> (value & 0xff) << 24 | (value & 0x3f00) << 8;
            case "sls" -> value << 4;
            default -> value;
        };
        return loads.compare(PACKET, offset, size, mask, field.operation(), field.isInverse(), onWire);
    }
}
