package io.offhook.filter;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of numbers that are not keywords: protocols, kinds of LLC frames, codes of pf. */
final class ProtocolNames {
    /** IANA's protocol numbers, spelled as in Debian's /etc/protocols. */
    private static final Map<String, Integer> IP = table("""
        ip 0 IP 0 hopopt 0 HOPOPT 0 icmp 1 ICMP 1 igmp 2 IGMP 2 ggp 3 GGP 3 ipencap 4 IP-ENCAP 4 st 5 ST 5 tcp 6 TCP 6
        egp 8 EGP 8 igp 9 IGP 9 pup 12 PUP 12 udp 17 UDP 17 hmp 20 HMP 20 xns-idp 22 XNS-IDP 22 rdp 27 RDP 27
        iso-tp4 29 ISO-TP4 29 dccp 33 DCCP 33 xtp 36 XTP 36 ddp 37 DDP 37 idpr-cmtp 38 IDPR-CMTP 38 ipv6 41 IPv6 41
        ipv6-route 43 IPv6-Route 43 ipv6-frag 44 IPv6-Frag 44 idrp 45 IDRP 45 rsvp 46 RSVP 46 gre 47 GRE 47
        esp 50 IPSEC-ESP 50 ah 51 IPSEC-AH 51 skip 57 SKIP 57 ipv6-icmp 58 IPv6-ICMP 58 ipv6-nonxt 59 IPv6-NoNxt 59
        ipv6-opts 60 IPv6-Opts 60 rspf 73 RSPF 73 CPHB 73 vmtp 81 VMTP 81 eigrp 88 EIGRP 88 ospf 89 OSPFIGP 89
        ax.25 93 AX.25 93 ipip 94 IPIP 94 etherip 97 ETHERIP 97 encap 98 ENCAP 98 pim 103 PIM 103 ipcomp 108 IPCOMP 108
        vrrp 112 VRRP 112 l2tp 115 L2TP 115 isis 124 ISIS 124 sctp 132 SCTP 132 fc 133 FC 133
        mobility-header 135 Mobility-Header 135 udplite 136 UDPLite 136 mpls-in-ip 137 MPLS-in-IP 137 manet 138
        hip 139 HIP 139 shim6 140 Shim6 140 wesp 141 WESP 141 rohc 142 ROHC 142 ethernet 143 Ethernet 143
        mptcp 262 MPTCP 262
        """);

    private static final Map<String, Integer> LINK = table("""
        aarp 33011 arp 2054 atalk 32923 decnet 24579 ip 2048 ip6 34525 lat 24580 loopback 36864 mopdl 24577 moprc 24578
        rarp 32821 sca 24583 iso 254 stp 66 ipx 224 netbeui 240
        """);

    private static final Map<String, Integer> OSI = table("esis 130 isis 131 clnp 129");

    /** Codes of the control field: S frames end in 01, U frames in 11. */
    private static final Map<String, Integer> LLC_KINDS = table("""
        i 0 s 1 u 3 rr 1 rnr 5 rej 9 ui 3 ua 99 disc 67 dm 15 sabme 111 test 227 xid 175 frmr 135
        """);

    private static final Map<String, Integer> PF_REASONS = table("""
        match 0 bad-offset 1 fragment 2 short 3 normalize 4 memory 5 bad-timestamp 6 congestion 7 ip-option 8
        proto-cksum 9 state-mismatch 10 state-insert 11 state-limit 12 src-limit 13 synproxy 14
        """);

    private static final Map<String, Integer> PF_ACTIONS = table("""
        pass 0 accept 0 drop 1 block 1 scrub 2 noscrub 3 nat 4 nonat 5 binat 6 nobinat 7 rdr 8 nordr 9
        synproxy-drop 10
        """);

    private ProtocolNames() {}

    static @Nullable Integer ip(String name) {
        return IP.get(name);
    }

    static @Nullable Integer link(String name) {
        return LINK.get(name);
    }

    static @Nullable Integer osi(String name) {
        return OSI.get(name);
    }

    static @Nullable Integer llcKind(String name) {
        return LLC_KINDS.get(name.toLowerCase(Locale.ROOT));
    }

    static @Nullable Integer pfReason(String name) {
        return PF_REASONS.get(name.toLowerCase(Locale.ROOT));
    }

    static @Nullable Integer pfAction(String name) {
        return PF_ACTIONS.get(name.toLowerCase(Locale.ROOT));
    }

    private static Map<String, Integer> table(String text) {
        Map<String, Integer> table = new HashMap<>();
        String[] words = text.strip().split("\\s+", -1);
        for (int i = 0; i < words.length; i += 2) {
            table.put(words[i], Integer.valueOf(words[i + 1]));
        }
        return table;
    }
}
