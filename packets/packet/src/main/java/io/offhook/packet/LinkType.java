package io.offhook.packet;

import java.util.Arrays;

/**
 * Link types as capture files number them (LINKTYPE_ values of the tcpdump group's registry), and their names.
 *
 * <p>These are plain numbers and not an enum: a file may carry any of 65,536 values, known here or not.
 */
public final class LinkType {
    /** BSD loopback: the address family is in the byte order of the machine that captured. */
    public static final int NULL = 0;

    /** Ethernet (IEEE 802.3). */
    public static final int ETHERNET = 1;
    /** Token ring (IEEE 802.5). */
    public static final int TOKEN_RING = 6;
    /** PPP, with or without address and control. */
    public static final int PPP = 9;

    /** FDDI. */
    public static final int FDDI = 10;
    /** Raw IP as some files have it that were written with the number of one system. */
    public static final int RAW_BSD = 12;

    /** IP without a link header, as OpenBSD numbers it. */
    public static final int RAW_OPENBSD = 14;
    /** PPP in HDLC-like framing (RFC 1662), or Cisco HDLC, by the first byte. */
    public static final int PPP_HDLC = 50;

    /** PPPoE session packets without Ethernet. */
    public static final int PPP_ETHER = 51;

    /** LLC, or without it, over ATM (RFC 2684). */
    public static final int ATM_RFC1483 = 100;

    /** IPv4 or IPv6, by the first half byte. */
    public static final int RAW = 101;

    /** HDLC as Cisco's routers speak it. */
    public static final int CISCO_HDLC = 104;
    /** IEEE 802.11 without a header of capture. */
    public static final int IEEE802_11 = 105;
    /** IP over ATM (RFC 2225); older files number it 16, 18 or 19, as the system did. */
    public static final int LINUX_ATM_CLIP = 106;

    /** Frame Relay. */
    public static final int FRAME_RELAY = 107;
    /** OpenBSD loopback: as {@link #NULL}, in network order. */
    public static final int LOOP = 108;

    /** BSD IPsec: address family, index and flags, four bytes each, before each packet. */
    public static final int ENC = 109;

    /** Cisco HDLC, as NetBSD numbers it. */
    public static final int NETBSD_HDLC = 112;

    /** Linux cooked capture, version 1. */
    public static final int LINUX_SLL = 113;

    /** IEEE 802.11 behind a Prism header. */
    public static final int IEEE802_11_PRISM = 119;
    /** IEEE 802.11 behind a radiotap header. */
    public static final int IEEE802_11_RADIOTAP = 127;
    /** IEEE 802.11 behind an AVS header. */
    public static final int IEEE802_11_AVS = 163;
    /** Reserved for private use; Apple has {@link #PKTAP} under this number too. */
    public static final int USER2 = 149;

    /** PPP as pppd has it: a direction stands where the address was. */
    public static final int PPP_PPPD = 166;

    /** Per-packet information: a header that names the link type of what follows. */
    public static final int PPI = 192;

    /** PPP with a byte of direction before it. */
    public static final int PPP_WITH_DIRECTION = 204;

    /** OpenBSD's packet filter log. */
    public static final int PFLOG = 117;

    /** IP over Fibre Channel (RFC 2625). */
    public static final int IP_OVER_FIBRE_CHANNEL = 122;

    /** ARCnet as Linux has it. */
    public static final int ARCNET_LINUX = 129;

    /** Apple's. */
    public static final int IP_OVER_FIREWIRE = 138;

    /** Ethernet, behind what a Juniper router knew of it. */
    public static final int JUNIPER_ETHERNET = 178;

    /** {@link #CISCO_HDLC} with a byte of direction before it. */
    public static final int CISCO_HDLC_WITH_DIRECTION = 205;

    /** {@link #FRAME_RELAY} with a byte of direction before it. */
    public static final int FRAME_RELAY_WITH_DIRECTION = 206;

    /** MPLS labels first. */
    public static final int MPLS = 219;
    /** Solaris' ipnet header, then IP. */
    public static final int IPNET = 226;
    /** IPv4 without a link header. */
    public static final int IPV4 = 228;
    /** IPv6 without a link header. */
    public static final int IPV6 = 229;
    /** Linux netfilter log records. */
    public static final int NFLOG = 239;

    /** IP over InfiniBand (RFC 4391). */
    public static final int IP_OVER_INFINIBAND = 242;
    /** Apple's: a header that names the link type of what follows. */
    public static final int PKTAP = 258;

    /** Linux cooked capture, version 2. */
    public static final int LINUX_SLL2 = 276;

    private static final String[] NAMES = names();

    private LinkType() {}

    /**
     * The short name that capinfos has for it ("ether", "linux-sll"); where it has none, that of the registry, in small
     * letters ("mpls", "dect-nr"); else "linktype-" and the number.
     */
    public static String name(int linkType) {
        String name = linkType >= 0 && linkType < NAMES.length ? NAMES[linkType] : "";
        return name.isEmpty() ? "linktype-" + linkType : name;
    }

    /**
     * The link type that {@link #name} calls so (the lowest of several), in capital letters or not; -1 if none is.
     */
    public static int named(String name) {
        for (int linkType = 0; linkType < NAMES.length; linkType++) {
            if (!name.isEmpty() && NAMES[linkType].equalsIgnoreCase(name)) {
                return linkType;
            }
        }
        return -1;
    }

    private static String[] names() {
        String table = """
            0 null 1 ether 2 xeth 3 ax25 6 tr 7 arcnet 8 slip 9 ppp 10 fddi-swapped 11 atm-rfc1483 12 rawip
            13 enc 14 rawip 15 slip-bsdos 16 linux-atm-clip 18 linux-atm-clip 19 linux-atm-clip 32 redback
            50 ppp 51 pppoes 99 symantec 100 atm-rfc1483 101 rawip 104 chdlc 105 ieee-802-11 106 linux-atm-clip
            107 frelay 108 loop 109 enc 112 chdlc 113 linux-sll 114 ltalk 117 pflog 118 ios
            119 ieee-802-11-prism 121 hhdlc 122 ip-over-fc 123 atm-pdus 127 ieee-802-11-radiotap 128 tzsp
            129 arcnet_linux 130 juniper-mlppp 131 juniper-mlfr 132 juniper-es 133 juniper-ggsn 134 juniper-mfr
            135 juniper-atm2 136 juniper-svcs 137 juniper-atm1 138 ap1394 139 mtp2-with-phdr 140 mtp2 141 mtp3
            142 sccp 143 docsis 144 irda 147 user0 148 user1 149 user2 150 user3 151 user4 152 user5 153 user6
            154 user7 155 user8 156 user9 157 user10 158 user11 159 user12 160 user13 161 user14 162 user15
            163 ieee-802-11-avs 164 juniper-monitor 165 bacnet-ms-tp 166 ppp-pppd 167 juniper-pppoe
            168 juniper-pppoe-atm 169 gprs-llc 170 gfp-t 171 gfp-f 172 gcom-tie1 173 gcom-serial
            174 juniper-pic-peer 175 erf-eth 176 erf-pos 177 linux-lapd 178 juniper-ether 179 juniper-ppp
            180 juniper-frelay 181 juniper-chdlc 182 mfr 183 juniper-vp 184 juniper-vn 185 a653-icm
            186 usb-freebsd 187 bluetooth-h4 188 ieee-802-16-mac-cps 189 usb-linux 190 can20b
            191 ieee802-15-4-linux 192 ppi 193 ieee802-16-mac-cps-radio 194 juniper-ism 195 wpan 196 sita-wan
            197 erf 198 raif1 199 ipmb-kontron 200 juniper-st 201 bluetooth-h4-linux 202 ax25-kiss 203 lapd
            204 ppp-with-direction 205 c-hdlc-with-dir 206 frelay-with-dir 207 lapb-with-dir 209 i2c-linux
            210 flexray 211 most 212 lin 213 x2e-serial 214 x2e-xoraya 215 wpan-nonask-phy 216 linux-evdev
            219 mpls 220 usb-linux-mmap 221 dect 222 aos 223 wihart 224 fc2 225 fc2sof 226 ipnet 227 socketcan
            228 rawip4 229 rawip6 230 wpan-nofcs 231 dbus 232 juniper-vs 233 juniper-srx-e2e
            234 juniper-fibrechannel 235 dvbci 236 mux27010 237 s5066-dpdu 238 juniper-atm-cemic 239 nflog
            240 netanalyzer 241 netanalyzer-transparent 242 ip-ib 243 mp2ts 244 ng40 245 nfc-llcp 246 pfsync
            247 infiniband 248 sctp 249 usb-usbpcap 250 rtac-serial 251 bluetooth-le-ll 252 wireshark-upper-pdu
            253 netlink 254 bluetooth-linux-monitor 255 bluetooth-bredr-bb-rf 256 bluetooth-le-ll-rf
            257 profibus-dl 258 pktap 259 epon 260 ipmi-trace 261 zwave-r1-r2 262 zwave-r3 263 wattstopper-dlm
            264 iso14443 265 rds 266 usb-darwin 267 openflow 268 sdlc 269 ti-lln-sniffer 270 loratap 271 vsock
            272 nordic_ble 273 docsis31_xra31 274 ether-mpacket 275 dpauxmon 276 linux-sll2 277 sercos-monitor
            278 openvizsla 279 ebhscr 280 vpp 281 dsa-tag-brcm 282 dsa-tag-brcm-prepend 283 wpan-tap
            284 dsa-tag-dsa 285 dsa-tag-edsa 286 elee 287 zwave-serial 288 usb-20 289 atsc-alp 290 etw
            291 netanalyzer-ng 292 zbncp 293 usb-20-low 294 usb-20-full 295 usb-20-high 296 auerswald-log
            297 zwave-tap 298 silabs-debug-channel 299 fira-uci 300 mdb 301 dect-nr
            """;
        String[] words = table.strip().split("\\s+", -1);
        String[] names = new String[Integer.parseInt(words[words.length - 2]) + 1];
        Arrays.fill(names, "");
        for (int i = 0; i < words.length; i += 2) {
            names[Integer.parseInt(words[i])] = words[i + 1];
        }
        return names;
    }
}
