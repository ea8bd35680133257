package io.offhook.filter;

import static io.offhook.filter.LinkPosition.NOT_SET;

/** The offsets of the headers of each link type, before the expression moves any. */
final class LinkLayouts {
    private LinkLayouts() {}

    static LinkPosition layout(String expression, int linkType, boolean isBigEndian) {
        LinkPosition state = new LinkPosition(expression, linkType, isBigEndian);
        switch (linkType) {
            case Dlt.ARCNET -> set(state, 2, 6, 0, 0);
            case Dlt.ARCNET_LINUX -> set(state, 4, 8, 0, 0);
            case Dlt.EN10MB -> set(state, 12, 14, 0, 3);
            case Dlt.SLIP -> set(state, NOT_SET, 16, 0, 0);
            case Dlt.SLIP_BSDOS -> set(state, NOT_SET, 24, 0, 0);
            case Dlt.NULL, Dlt.LOOP -> set(state, 0, 4, 0, 0);
            case Dlt.ENC -> set(state, 0, 12, 0, 0);
            case Dlt.PPP, Dlt.PPP_PPPD, Dlt.C_HDLC, Dlt.PPP_SERIAL -> set(state, 2, 4, 0, 0);
            case Dlt.PPP_ETHER -> set(state, 6, 8, 0, 0);
            case Dlt.PPP_BSDOS -> set(state, 5, 24, 0, 0);
            case Dlt.FDDI -> set(state, 13, 13, 8, 3);
            case Dlt.IEEE802 -> set(state, 14, 14, 8, 3);
            case Dlt.ATM_RFC1483, Dlt.ATM_CLIP -> set(state, 0, 0, 8, 3);
            case Dlt.RAW, Dlt.IPV4, Dlt.IPV6, Dlt.LTALK, Dlt.FRELAY -> set(state, NOT_SET, 0, 0, 0);
            case Dlt.LINUX_SLL -> set(state, 14, 16, 0, 0);
            case Dlt.LINUX_SLL2 -> set(state, 0, 20, 0, 0);
            case Dlt.IP_OVER_FC -> set(state, 16, 16, 8, 3);
            case Dlt.MFR -> set(state, NOT_SET, 0, 4, 0);
            case Dlt.APPLE_IP_OVER_IEEE1394 -> set(state, 16, 18, 0, 0);
            case Dlt.SYMANTEC_FIREWALL -> set(state, 6, 44, 0, 0);
            case Dlt.PFSYNC -> set(state, NOT_SET, 4, 0, 0);
            case Dlt.IPNET -> set(state, 1, 24, 0, NOT_SET);
            default -> setSpecial(state);
        }
        state.previousHeader.set(state.header);
        return state;
    }

    private static void setSpecial(LinkPosition state) {
        switch (state.linkType) {
            case Dlt.IEEE802_11 -> setWireless(state, false);
            case Dlt.PRISM_HEADER, Dlt.IEEE802_11_RADIO_AVS, Dlt.IEEE802_11_RADIO, Dlt.PPI -> setWireless(state, true);
            case Dlt.NETANALYZER -> setNetAnalyzer(state, 4);
            case Dlt.NETANALYZER_TRANSPARENT -> setNetAnalyzer(state, 12);
            case Dlt.PFLOG -> {
                set(state, 0, 0, 0, 0);
                state.payload.isVariable = true;
            }
            case Dlt.SUNATM -> {
                state.isAtm = true;
                state.atmPayload = 4;
                set(state, 4, 4, 8, 3);
            }
            case Dlt.MTP2 -> setMtp2(state, 2);
            case Dlt.MTP2_WITH_PHDR -> setMtp2(state, 6);
            case Dlt.ERF -> setMtp2(state, 22);
            default -> {
                if (Dlt.isJuniper(state.linkType)) {
                    setJuniper(state);
                } else if (state.linkType >= Dlt.FIRST_PLAIN && state.linkType <= Dlt.LAST_PLAIN) {
                    set(state, NOT_SET, NOT_SET, NOT_SET, NOT_SET);
                } else {
                    throw new FilterException(
                            "unknown data link type " + state.linkType + " (min " + Dlt.FIRST_PLAIN + ", max "
                                    + Dlt.LAST_PLAIN + ")",
                            state.expression,
                            -1);
                }
            }
        }
    }

    private static void set(LinkPosition state, int type, int payload, int network, int networkBehindLlc) {
        state.type.constant = type;
        state.payload.constant = payload;
        state.network = network;
        state.networkBehindLlc = networkBehindLlc;
    }

    /** A header of at least 24 bytes, optionally preceded by a radio header whose length each packet states. */
    private static void setWireless(LinkPosition state, boolean hasRadioHeader) {
        set(state, 24, 0, 8, 3);
        state.payload.isVariable = true;
        state.header.isVariable = hasRadioHeader;
    }

    private static void setNetAnalyzer(LinkPosition state, int header) {
        state.header.constant = header;
        set(state, header + 12, header + 14, 0, 3);
    }

    private static void setMtp2(LinkPosition state, int lengthIndicator) {
        set(state, NOT_SET, NOT_SET, NOT_SET, NOT_SET);
        state.lengthIndicator = lengthIndicator;
        state.longLengthIndicator = lengthIndicator + 2;
        state.serviceInformation = lengthIndicator + 1;
        state.pointCodes = lengthIndicator + 2;
        state.linkSelection = lengthIndicator + 5;
    }

    private static void setJuniper(LinkPosition state) {
        switch (state.linkType) {
            case Dlt.JUNIPER_ATM1 -> set(state, 4, 4, 0, 10);
            case Dlt.JUNIPER_ATM2 -> set(state, 8, 8, 0, 10);
            case Dlt.JUNIPER_PPPOE, Dlt.JUNIPER_ETHER -> set(state, 16, 14, 18, 21);
            case Dlt.JUNIPER_PPPOE_ATM -> set(state, 4, 6, 0, NOT_SET);
            case Dlt.JUNIPER_GGSN -> set(state, 6, 12, 0, NOT_SET);
            case Dlt.JUNIPER_ES -> set(state, 6, NOT_SET, NOT_SET, NOT_SET);
            case Dlt.JUNIPER_MONITOR -> set(state, 12, 12, 0, NOT_SET);
            case Dlt.JUNIPER_SERVICES -> set(state, 12, NOT_SET, NOT_SET, NOT_SET);
            case Dlt.JUNIPER_VP, Dlt.JUNIPER_ST -> set(state, 18, NOT_SET, NOT_SET, NOT_SET);
            case Dlt.JUNIPER_ISM,
                    Dlt.JUNIPER_VS,
                    Dlt.JUNIPER_SRX_E2E,
                    Dlt.JUNIPER_FIBRECHANNEL,
                    Dlt.JUNIPER_ATM_CEMIC -> set(state, 8, NOT_SET, NOT_SET, NOT_SET);
            default -> set(state, 4, 4, 0, NOT_SET);
        }
    }
}
