package io.offhook.filter;

/** libpcap's internal numbers of link types (DLT_ values), for the types that filters treat specially. */
final class Dlt {
    static final int NULL = 0;
    static final int EN10MB = 1;
    static final int IEEE802 = 6;
    static final int ARCNET = 7;
    static final int SLIP = 8;
    static final int PPP = 9;
    static final int FDDI = 10;
    static final int ATM_RFC1483 = 11;
    static final int RAW = 12;
    static final int SLIP_BSDOS = 15;
    static final int PPP_BSDOS = 16;
    static final int ATM_CLIP = 19;
    static final int PPP_SERIAL = 50;
    static final int PPP_ETHER = 51;
    static final int SYMANTEC_FIREWALL = 99;
    static final int C_HDLC = 104;
    static final int IEEE802_11 = 105;
    static final int FRELAY = 107;
    static final int LOOP = 108;
    static final int ENC = 109;
    static final int LINUX_SLL = 113;
    static final int LTALK = 114;
    static final int PFLOG = 117;
    static final int PRISM_HEADER = 119;
    static final int IP_OVER_FC = 122;
    static final int SUNATM = 123;
    static final int IEEE802_11_RADIO = 127;
    static final int ARCNET_LINUX = 129;
    static final int JUNIPER_MLPPP = 130;
    static final int JUNIPER_MLFR = 131;
    static final int JUNIPER_ES = 132;
    static final int JUNIPER_GGSN = 133;
    static final int JUNIPER_MFR = 134;
    static final int JUNIPER_ATM2 = 135;
    static final int JUNIPER_SERVICES = 136;
    static final int JUNIPER_ATM1 = 137;
    static final int APPLE_IP_OVER_IEEE1394 = 138;
    static final int MTP2_WITH_PHDR = 139;
    static final int MTP2 = 140;
    static final int IEEE802_11_RADIO_AVS = 163;
    static final int JUNIPER_MONITOR = 164;
    static final int BACNET_MS_TP = 165;
    static final int PPP_PPPD = 166;
    static final int JUNIPER_PPPOE = 167;
    static final int JUNIPER_PPPOE_ATM = 168;
    static final int JUNIPER_ETHER = 178;
    static final int JUNIPER_PPP = 179;
    static final int JUNIPER_FRELAY = 180;
    static final int JUNIPER_CHDLC = 181;
    static final int MFR = 182;
    static final int JUNIPER_VP = 183;
    static final int PPI = 192;
    static final int JUNIPER_ISM = 194;
    static final int ERF = 197;
    static final int JUNIPER_ST = 200;
    static final int IPNET = 226;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int JUNIPER_VS = 232;
    static final int JUNIPER_SRX_E2E = 233;
    static final int JUNIPER_FIBRECHANNEL = 234;
    static final int JUNIPER_ATM_CEMIC = 238;
    static final int NETANALYZER = 240;
    static final int NETANALYZER_TRANSPARENT = 241;
    static final int PFSYNC = 246;
    static final int LINUX_SLL2 = 276;

    /** The first of the range of link types that can be tested by {@code link[...]} only. */
    static final int FIRST_PLAIN = 104;

    static final int LAST_PLAIN = 289;

    private Dlt() {}

    /** Converts the link type of a capture file; a few have another number internally. */
    static int of(int linkType) {
        return switch (linkType) {
            case 100 -> ATM_RFC1483;
            case 101 -> RAW;
            case 102 -> SLIP_BSDOS;
            case 103 -> PPP_BSDOS;
            case 106 -> ATM_CLIP;
            case 112 -> C_HDLC; // NetBSD's number
            default -> linkType;
        };
    }

    static boolean isEthernet(int linkType) {
        return linkType == EN10MB || linkType == NETANALYZER || linkType == NETANALYZER_TRANSPARENT;
    }

    static boolean isWireless(int linkType) {
        return isPlainWireless(linkType) || linkType == PPI;
    }

    /** IEEE 802.11, with or without a radio header; except PPI, for which libpcap supports less. */
    static boolean isPlainWireless(int linkType) {
        return linkType == IEEE802_11
                || linkType == PRISM_HEADER
                || linkType == IEEE802_11_RADIO_AVS
                || linkType == IEEE802_11_RADIO;
    }

    static boolean isArcnet(int linkType) {
        return linkType == ARCNET || linkType == ARCNET_LINUX;
    }

    static boolean isJuniper(int linkType) {
        return switch (linkType) {
            case JUNIPER_MLPPP,
                    JUNIPER_MLFR,
                    JUNIPER_ES,
                    JUNIPER_GGSN,
                    JUNIPER_MFR,
                    JUNIPER_ATM2,
                    JUNIPER_SERVICES,
                    JUNIPER_ATM1,
                    JUNIPER_MONITOR,
                    JUNIPER_PPPOE,
                    JUNIPER_PPPOE_ATM,
                    JUNIPER_ETHER,
                    JUNIPER_PPP,
                    JUNIPER_FRELAY,
                    JUNIPER_CHDLC,
                    JUNIPER_VP,
                    JUNIPER_ISM,
                    JUNIPER_ST,
                    JUNIPER_VS,
                    JUNIPER_SRX_E2E,
                    JUNIPER_FIBRECHANNEL,
                    JUNIPER_ATM_CEMIC -> true;
            default -> false;
        };
    }

    static boolean isMtp2(int linkType) {
        return linkType == MTP2 || linkType == ERF || linkType == MTP2_WITH_PHDR;
    }
}
