package io.offhook.packet.walk;

import static io.offhook.packet.walk.Walk.ETHER_TYPE;
import static io.offhook.packet.walk.Walk.IP_PROTOCOL;
import static io.offhook.packet.walk.Walk.LINK;
import static io.offhook.packet.walk.Walk.PPP_PROTOCOL;
import static io.offhook.packet.walk.Walk.UDP_PORTS;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * A frame of headers in headers, each chosen at random among those that may follow, written from the outside in. Lengths
 * are left open (0, or beyond the frame), as segmentation offload leaves them, but for those that tell a tunnel over UDP.
 */
final class TunnelStack {
    private static final int[] LINKS = {
        LinkType.ETHERNET,
        LinkType.NULL,
        LinkType.RAW,
        LinkType.IPV4,
        LinkType.IPV6,
        LinkType.LINUX_SLL,
        LinkType.LINUX_SLL2,
        LinkType.PPP,
        LinkType.PPP_WITH_DIRECTION,
        LinkType.PPP_ETHER,
        LinkType.CISCO_HDLC,
        LinkType.FRAME_RELAY,
        LinkType.MPLS,
        LinkType.IEEE802_11,
        LinkType.IEEE802_11_RADIOTAP,
        LinkType.PPI
    };
    private static final int[] TYPES = {
        0x0800, 0x86dd, 0x8100, 0x9100, 0x88a8, 0x8847, 0x8864, 0x880b, 0x6558, 0x8926, 0x893f, 0x88e7, 0x8903, 0x88e5,
        0x8909, 0x894f
    };
    private static final int[] GRE_TYPES = {
        0x0800, 0x86dd, 0x8100, 0x8847, 0x880b, 0x6558, 0x88be, 0x22eb, 0x883e, 0x8909
    };
    private static final int[] PROTOCOLS = {4, 41, 47, 51, 103, 137, 97, 143, 17, 17, 17, 17};
    private static final int[] EXTENSIONS = {0, 60, 43, 44, 135, 139};
    private static final int[] PPP_PROTOCOLS = {0x21, 0x57, 0x281, 0x31};
    private static final int[] NEXT_PROTOCOLS = {1, 2, 3, 4, 5};
    private static final int[] PORTS = {1701, 2152, 3544, 4754, 4789, 8472, 4790, 5247, 6081};

    private static final int DONE = Walk.DONE;

    private final Random random;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> layers = new ArrayList<>();
    private final int linkType;
    /** The trailers of IEEE 802.1AE that end the frame. */
    private int checkValues;
    /** Whether the innermost IP header is IPv6, whose extension headers may follow. */
    private boolean isIpv6;

    TunnelStack(Random random, int headers) {
        this.random = random;
        linkType = pick(LINKS);
        int next = LINK | linkType;
        while (next != DONE && layers.size() < headers) {
            next = header(next);
        }
        finish(next);
    }

    int linkType() {
        return linkType;
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    /** Labels of the layers in it. */
    List<String> layers() {
        return layers;
    }

    /** Whatever is open is closed with UDP, or what leads there, and a byte. */
    private void finish(int open) {
        int next = open;
        while (next != DONE) {
            next = switch (next & ~0xffff) {
                case IP_PROTOCOL -> last(next & 0xffff);
                default -> header(next);
            };
        }
        hex("00");
        layers.add(LayerType.PAYLOAD.label());
        for (int i = 0; i < checkValues; i++) {
            hex("00".repeat(16));
        }
    }

    private int last(int protocol) {
        if (protocol != 17) {
            return ipProtocol(protocol);
        }
        add(LayerType.UDP, "9c40 9c42 ffff 0000");
        return DONE;
    }

    private int header(int next) {
        int number = next & 0xffff;
        return switch (next & ~0xffff) {
            case LINK -> link(number);
            case ETHER_TYPE -> etherType(number);
            case IP_PROTOCOL -> ipProtocol(number);
            case PPP_PROTOCOL -> pppProtocol(number);
            case UDP_PORTS -> tunnel(number);
            default -> throw new AssertionError(next);
        };
    }

    private int link(int type) {
        return switch (type) {
            case LinkType.ETHERNET -> ethernet();
            case LinkType.NULL -> {
                boolean six = random.nextBoolean();
                add(LayerType.NULL_LOOPBACK, six ? "1e000000" : "02000000");
                yield six ? ipv6() : ipv4();
            }
            case LinkType.RAW -> random.nextBoolean() ? ipv4() : ipv6();
            case LinkType.IPV4 -> ipv4();
            case LinkType.IPV6 -> ipv6();
            case LinkType.LINUX_SLL -> cooked();
            case LinkType.LINUX_SLL2 -> {
                int ether = pick(TYPES);
                add(LayerType.LINUX_SLL2, hex4(ether) + "0000 00000003 0001 0406 020000000001 0000");
                yield ETHER_TYPE | ether;
            }
            case LinkType.PPP -> ppp();
            case LinkType.PPP_WITH_DIRECTION -> {
                hex("01");
                yield pppWith("ff03");
            }
            case LinkType.PPP_ETHER -> etherType(0x8864);
            case LinkType.CISCO_HDLC -> {
                int ether = pick(TYPES);
                add(LayerType.CISCO_HDLC, "0f00" + hex4(ether));
                yield ETHER_TYPE | ether;
            }
            case LinkType.FRAME_RELAY -> frameRelay();
            case LinkType.MPLS -> mpls();
            case LinkType.IEEE802_11 -> wlan("0801");
            case LinkType.IEEE802_11_RADIOTAP -> {
                add(LayerType.RADIOTAP, "0000 0900 02000000 00");
                yield wlan("0801");
            }
            case LinkType.PPI -> {
                int inner = LINKS[random.nextInt(LINKS.length - 1)]; // not itself
                add(LayerType.PPI, "0000 0800" + hex2(inner & 0xff) + hex2(inner >>> 8) + "0000");
                yield LINK | inner;
            }
            default -> throw new AssertionError(type);
        };
    }

    /** No MAC address begins with a half byte of 0, 1, 4 or 6, by which MPLS tells what it carries. */
    private int ethernet() {
        if (random.nextInt(8) == 0) {
            add(LayerType.ETHERNET, "e0e0e0e0e0e0 e0e0e0e0e0e0 05dc"); // a length
            return logicalLink();
        }
        int type = pick(TYPES);
        add(LayerType.ETHERNET, "e0e0e0e0e0e0 e0e0e0e0e0e0" + hex4(type));
        return ETHER_TYPE | type;
    }

    private int cooked() {
        return switch (random.nextInt(5)) {
            case 0 -> cooked(770, 0, LINK | LinkType.FRAME_RELAY);
            case 1 -> cooked(801, 0, LINK | LinkType.IEEE802_11);
            case 2 -> cooked(803, 0, LINK | LinkType.IEEE802_11_RADIOTAP);
            case 3 -> {
                int type = pick(GRE_TYPES);
                cooked(778, type, 0);
                yield greProtocol(type == 0x88be ? 0x6558 : type, type == 0x88be);
            }
            default -> {
                int type = pick(TYPES);
                yield cooked(1, type, ETHER_TYPE | type);
            }
        };
    }

    private int cooked(int hardware, int protocol, int next) {
        int number = hardware == 778 && protocol == 0x88be ? 0x6558 : protocol;
        add(LayerType.LINUX_SLL, "0000" + hex4(hardware) + "0006 0200000000010000" + hex4(number));
        return next;
    }

    private int frameRelay() {
        switch (random.nextInt(3)) {
            case 0:
                add(LayerType.FRAME_RELAY, "1841 03 cc");
                return ipv4();
            case 1:
                add(LayerType.FRAME_RELAY, "1841 03 8e");
                return ipv6();
            default:
                int type = pick(TYPES);
                add(LayerType.FRAME_RELAY, "1841 03 00 80 000000" + hex4(type));
                return ETHER_TYPE | type;
        }
    }

    private int wlan(String control) {
        add(LayerType.WLAN, control + "2c00 020000000002 020000000001 020000000002 1000");
        return logicalLink();
    }

    private int logicalLink() {
        switch (random.nextInt(3)) {
            case 0:
                add(LayerType.LLC, "060603");
                return ipv4();
            case 1:
                add(LayerType.LLC, "aaaa03 0080c2 0007");
                hex("0000");
                return LINK | LinkType.ETHERNET;
            default:
                int type = pick(TYPES);
                add(LayerType.LLC, "aaaa03 000000" + hex4(type));
                return ETHER_TYPE | type;
        }
    }

    private int etherType(int type) {
        return switch (type) {
            case 0x0800 -> ipv4();
            case 0x86dd -> ipv6();
            case 0x8100, 0x9100 -> tag(LayerType.VLAN, "0001");
            case 0x88a8 -> tag(LayerType.SERVICE_VLAN, "0001");
            case 0x8926 -> tag(LayerType.VNTAG, "00010002");
            case 0x893f -> tag(LayerType.VNTAG, "000100020003");
            case 0x8909 -> tag(LayerType.CISCO_METADATA, "010100010001");
            case 0x88e5 -> {
                checkValues++;
                yield tag(LayerType.MACSEC, "000000000001");
            }
            case 0x88e7 -> over(LayerType.PBB, "00000001");
            case 0x8903 -> over(LayerType.FABRIC_PATH, "0041");
            case 0x6558 -> ethernet();
            case 0x8847 -> mpls();
            case 0x880b -> ppp();
            case 0x8864 -> {
                add(LayerType.PPPOE, "1100 0007 ffff");
                yield ppp();
            }
            case 0x894f -> {
                int next = pick(NEXT_PROTOCOLS);
                add(LayerType.NSH, "0002 01" + hex2(next) + "00000100");
                yield genericProtocol(next);
            }
            default -> throw new AssertionError(type);
        };
    }

    private int tag(LayerType layer, String before) {
        int type = pick(TYPES);
        add(layer, before + hex4(type));
        return ETHER_TYPE | type;
    }

    private int over(LayerType layer, String header) {
        add(layer, header);
        return LINK | LinkType.ETHERNET;
    }

    private int genericProtocol(int protocol) {
        return switch (protocol) {
            case 1 -> ipv4();
            case 2 -> ipv6();
            case 3 -> LINK | LinkType.ETHERNET;
            case 4 -> ETHER_TYPE | 0x894f;
            default -> ETHER_TYPE | 0x8847;
        };
    }

    private int mpls() {
        for (int i = random.nextInt(3); i > 0; i--) {
            add(LayerType.MPLS, "00100040");
        }
        add(LayerType.MPLS, "00111140");
        return switch (random.nextInt(4)) {
            case 0 -> ipv4();
            case 1 -> ipv6();
            case 2 -> over(LayerType.PSEUDOWIRE, "00000000");
            default -> LINK | LinkType.ETHERNET;
        };
    }

    private int ppp() {
        return pppWith(random.nextBoolean() ? "ff03" : "");
    }

    private int pppWith(String start) {
        int protocol = pick(PPP_PROTOCOLS);
        boolean isShort = (protocol & 1) != 0 && protocol < 0x100 && random.nextBoolean();
        add(LayerType.PPP, start + (isShort ? hex2(protocol) : hex4(protocol)));
        return PPP_PROTOCOL | protocol;
    }

    private int pppProtocol(int protocol) {
        switch (protocol) {
            case 0x21:
                return ipv4();
            case 0x57:
                return ipv6();
            case 0x281:
                return mpls();
            default:
                hex("0001");
                return LINK | LinkType.ETHERNET;
        }
    }

    private int ipv4() {
        isIpv6 = false;
        int protocol = pick(PROTOCOLS);
        add(LayerType.IPV4, "45000000 12340000 40" + hex2(protocol) + "0000 c0000201 c6336402");
        return IP_PROTOCOL | protocol;
    }

    private int ipv6() {
        isIpv6 = true;
        int next = random.nextInt(3) == 0 ? pick(EXTENSIONS) : pick(PROTOCOLS);
        add(
                LayerType.IPV6,
                "60000000 0000" + hex2(next) + "40 20010db8000000000000000000000001 20010db8000000000000000000000002");
        return IP_PROTOCOL | next;
    }

    private int ipProtocol(int protocol) {
        return switch (protocol) {
            case 4 -> ipv4();
            case 41 -> ipv6();
            case 47 -> gre();
            case 51 -> {
                int next = pick(PROTOCOLS);
                add(LayerType.AUTHENTICATION, hex2(next) + "01 0000 00000001 00000001");
                yield IP_PROTOCOL | next;
            }
            case 137 -> mpls();
            case 103 -> {
                add(LayerType.PIM, "2100000000000000");
                yield IP_PROTOCOL | (random.nextBoolean() ? 4 : 41);
            }
            case 97 -> {
                hex("3000");
                yield LINK | LinkType.ETHERNET;
            }
            case 143 -> LINK | LinkType.ETHERNET;
            case 17 -> {
                int port = pick(PORTS);
                add(
                        LayerType.UDP,
                        random.nextBoolean() ? "9c40" + hex4(port) + "ffff0000" : hex4(port) + "9c40ffff0000");
                yield UDP_PORTS | port;
            }
            default -> extension(protocol);
        };
    }

    private int extension(int protocol) {
        LayerType type = switch (protocol) {
            case 0 -> LayerType.HOP_BY_HOP;
            case 60 -> LayerType.DESTINATION_OPTIONS;
            case 43 -> LayerType.ROUTING;
            case 44 -> LayerType.IPV6_FRAGMENT;
            case 135 -> LayerType.MOBILITY;
            default -> LayerType.IPV6_EXTENSION;
        };
        int next = isIpv6 && random.nextInt(3) == 0 ? pick(EXTENSIONS) : pick(PROTOCOLS);
        add(type, hex2(next) + "00 0000 00000000"); // as a fragment, the only one
        return IP_PROTOCOL | next;
    }

    private int gre() {
        int type = pick(GRE_TYPES);
        boolean hasSequence = random.nextBoolean();
        add(LayerType.GRE, (hasSequence ? "1000" : "0000") + hex4(type) + (hasSequence ? "00000001" : ""));
        return greProtocol(type, hasSequence);
    }

    private int greProtocol(int type, boolean hasSequence) {
        switch (type) {
            case 0x88be:
                if (hasSequence) {
                    add(LayerType.ERSPAN, "10010001 00000001");
                }
                return LINK | LinkType.ETHERNET;
            case 0x22eb:
                boolean isEthernet = random.nextBoolean();
                add(LayerType.ERSPAN, "20010001 00000001 0000" + (isEthernet ? "0000" : "0800"));
                return isEthernet ? LINK | LinkType.ETHERNET : LINK | LinkType.RAW;
            case 0x883e:
                hex("00000001");
                return LINK | LinkType.RAW;
            case 0x8909:
                int inner = pick(TYPES);
                add(LayerType.CISCO_METADATA, hex4(inner) + "010100010001");
                return ETHER_TYPE | inner;
            default:
                return ETHER_TYPE | type;
        }
    }

    private int tunnel(int port) {
        switch (port) {
            case 1701:
                add(LayerType.L2TP, "0002 0001 0001");
                return ppp();
            case 2152:
                add(LayerType.GTP_U, "30ff ffff 00000001");
                return LINK | LinkType.RAW;
            case 3544:
                add(LayerType.TEREDO, "");
                return ipv6();
            case 4754:
                boolean isSix = random.nextBoolean();
                boolean hasChecksum = random.nextBoolean();
                add(LayerType.GRE, (hasChecksum ? "8000" : "0000") + (isSix ? "86dd" : "0800"));
                hex(hasChecksum ? "12340000" : "");
                return isSix ? ipv6() : ipv4();
            case 4790:
                int protocol = pick(NEXT_PROTOCOLS);
                add(LayerType.VXLAN, "0c0000" + hex2(protocol) + "00000100");
                return genericProtocol(protocol);
            case 5247:
                boolean isNative = random.nextInt(3) > 0;
                add(LayerType.CAPWAP, isNative ? "0010030000000000" : "0010000000000000");
                return isNative ? wlan("0108") : LINK | LinkType.ETHERNET;
            case 6081:
                int type = pick(TYPES);
                add(LayerType.GENEVE, "0000" + hex4(type) + "00000100");
                return ETHER_TYPE | type;
            default:
                return over(LayerType.VXLAN, "0800000000000100");
        }
    }

    private int pick(int[] among) {
        return among[random.nextInt(among.length)];
    }

    private void add(LayerType layer, String header) {
        layers.add(layer.label());
        hex(header);
    }

    private void hex(String digits) {
        out.writeBytes(HexFormat.of().parseHex(digits.replace(" ", "")));
    }

    private static String hex2(int value) {
        return HexFormat.of().toHexDigits((byte) value);
    }

    private static String hex4(int value) {
        return HexFormat.of().toHexDigits((short) value);
    }
}
