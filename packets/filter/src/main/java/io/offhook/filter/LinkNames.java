package io.offhook.filter;

import java.util.HashMap;
import java.util.Map;

/** The names of link types in libpcap's messages. */
final class LinkNames {
    private static final String TABLE = """
        0 BSD loopback
        1 Ethernet
        6 Token ring
        7 BSD ARCNET
        8 SLIP
        9 PPP
        10 FDDI
        11 RFC 1483 LLC-encapsulated ATM
        12 Raw IP
        15 BSD/OS SLIP
        16 BSD/OS PPP
        19 Linux Classical IP over ATM
        50 PPP over serial
        51 PPPoE
        99 Symantec Firewall
        104 Cisco HDLC
        105 802.11
        107 Frame Relay
        108 OpenBSD loopback
        109 OpenBSD encapsulated IP
        113 Linux cooked v1
        114 Localtalk
        117 OpenBSD pflog file
        119 802.11 plus Prism header
        122 RFC 2625 IP-over-Fibre Channel
        123 Sun raw ATM
        127 802.11 plus radiotap header
        129 Linux ARCNET
        130 Juniper Multi-Link PPP
        131 Juniper Multi-Link Frame Relay
        132 Juniper Encryption Services PIC
        133 Juniper GGSN PIC
        134 Juniper FRF.16 Frame Relay
        135 Juniper ATM2 PIC
        136 Juniper Advanced Services PIC
        137 Juniper ATM1 PIC
        138 Apple IP-over-IEEE 1394
        139 SS7 MTP2 with Pseudo-header
        140 SS7 MTP2
        141 SS7 MTP3
        142 SS7 SCCP
        143 DOCSIS
        144 Linux IrDA
        163 802.11 plus AVS radio information header
        164 Juniper Passive Monitor PIC
        165 BACnet MS/TP
        166 PPP for pppd, with direction flag
        167 Juniper PPPoE
        168 Juniper PPPoE/ATM
        169 GPRS LLC
        170 GPF-T
        171 GPF-F
        174 Juniper PIC Peer
        175 Ethernet with Endace ERF header
        176 Packet-over-SONET with Endace ERF header
        177 Linux vISDN LAPD
        178 Juniper Ethernet
        179 Juniper PPP
        180 Juniper Frame Relay
        181 Juniper C-HDLC
        182 FRF.16 Frame Relay
        183 Juniper Voice PIC
        184 Arinc 429
        185 Arinc 653 Interpartition Communication
        186 USB with FreeBSD header
        187 Bluetooth HCI UART transport layer
        188 IEEE 802.16 MAC Common Part Sublayer
        189 USB with Linux header
        190 Controller Area Network (CAN) v. 2.0B
        191 IEEE 802.15.4 with Linux padding
        192 Per-Packet Information
        193 IEEE 802.16 MAC Common Part Sublayer plus radiotap header
        194 Juniper Integrated Service Module
        195 IEEE 802.15.4 with FCS
        196 SITA pseudo-header
        197 Endace ERF header
        198 Ethernet with u10 Networks pseudo-header
        199 IPMB with Kontron pseudo-header
        200 Juniper Secure Tunnel
        201 Bluetooth HCI UART transport layer plus pseudo-header
        202 AX.25 with KISS header
        209 IPMB with Linux/Pigeon Point pseudo-header
        215 IEEE 802.15.4 with non-ASK PHY data
        216 Linux evdev events
        219 MPLS with label as link-layer header
        220 USB with padded Linux header
        221 DECT
        222 AOS Space Data Link protocol
        223 Wireless HART
        224 Fibre Channel FC-2
        225 Fibre Channel FC-2 with frame delimiters
        226 Solaris ipnet
        227 CAN-bus with SocketCAN headers
        228 Raw IPv4
        229 Raw IPv6
        230 IEEE 802.15.4 without FCS
        231 D-Bus
        232 Juniper Virtual Server
        233 Juniper SRX E2E
        234 Juniper Fibre Channel
        235 DVB-CI
        236 MUX27010
        237 STANAG 5066 D_PDUs
        238 Juniper ATM CEMIC
        239 Linux netfilter log messages
        240 Ethernet with Hilscher netANALYZER pseudo-header
        241 Ethernet with Hilscher netANALYZER pseudo-header and with preamble and SFD
        242 RFC 4391 IP-over-Infiniband
        243 MPEG-2 transport stream
        244 ng40 protocol tester Iub/Iur
        245 NFC LLCP PDUs with pseudo-header
        246 Packet filter state syncing
        247 InfiniBand
        248 SCTP
        249 USB with USBPcap header
        250 Schweitzer Engineering Laboratories RTAC packets
        251 Bluetooth Low Energy air interface
        253 Linux netlink
        254 Bluetooth Linux Monitor
        255 Bluetooth Basic Rate/Enhanced Data Rate baseband packets
        256 Bluetooth Low Energy air interface with pseudo-header
        257 PROFIBUS data link layer
        258 Apple DLT_PKTAP
        259 Ethernet with 802.3 Clause 65 EPON preamble
        260 IPMI trace packets
        261 Z-Wave RF profile R1 and R2 packets
        262 Z-Wave RF profile R3 packets
        263 WattStopper Digital Lighting Management (DLM) and Legrand Nitoo Open protocol
        264 ISO 14443 messages
        265 IEC 62106 Radio Data System groups
        266 USB with Darwin header
        267 OpenBSD DLT_OPENFLOW
        268 IBM SDLC frames
        269 TI LLN sniffer frames
        271 Linux vsock
        272 Nordic Semiconductor Bluetooth LE sniffer frames
        273 Excentis XRA-31 DOCSIS 3.1 RF sniffer frames
        274 802.3br mPackets
        275 DisplayPort AUX channel monitoring data
        276 Linux cooked v2
        278 OpenVizsla USB
        279 Elektrobit High Speed Capture and Replay (EBHSCR)
        280 VPP graph dispatch tracer
        281 Broadcom tag
        282 Broadcom tag (prepended)
        283 IEEE 802.15.4 with pseudo-header
        284 Marvell DSA
        285 Marvell EDSA
        286 ELEE lawful intercept packets
        287 Z-Wave serial frames between host and chip
        288 USB 2.0/1.1/1.0 as transmitted over the cable
        289 ATSC Link-Layer Protocol packets
        """;

    private static final Map<Integer, String> NAMES = names();

    private LinkNames() {}

    static String name(int linkType) {
        return NAMES.getOrDefault(linkType, "DLT " + linkType);
    }

    /** The family of a link type that libpcap knows but cannot filter; empty for other types. */
    static String unfilterable(int linkType) {
        return switch (linkType) {
            case 182 -> "Multi-link Frame Relay";
            case 144 -> "IrDA";
            case 143 -> "DOCSIS";
            case 139, 140 -> "MTP2";
            case 197 -> "ERF";
            case 246 -> "PFSYNC";
            case 177 -> "LAPD";
            case 186, 189, 220, 249 -> "USB";
            case 187, 201 -> "Bluetooth";
            case 190, 227 -> "CAN";
            case 191, 195, 215, 230, 283 -> "IEEE 802.15.4";
            case 193 -> "IEEE 802.16";
            case 196 -> "SITA";
            case 198 -> "RAIF1";
            case 199, 209 -> "IPMB";
            case 202 -> "AX.25";
            case 239 -> "NFLOG";
            default -> "";
        };
    }

    private static Map<Integer, String> names() {
        Map<Integer, String> names = new HashMap<>();
        TABLE.lines().forEach(line -> {
            int space = line.indexOf(' ');
            names.put(Integer.valueOf(line.substring(0, space)), line.substring(space + 1));
        });
        return names;
    }
}
