package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Expressions of all of pcap-filter(7): each primitive, qualifier, spelling and form of a value, put together with and
 * without sense, and some of them broken. The same ones for the same seed.
 */
final class RandomExpressions {
    /** Words that go with most link types, and of all kinds. */
    private record Words(List<String> sound, List<String> all) {}

    private static final Words PROTOCOLS = words("""
        ip ip6 arp rarp tcp udp sctp icmp icmp6 igmp igrp pim vrrp carp ah esp atalk aarp decnet lat sca moprc mopdl iso
        esis es-is isis is-is clnp stp ipx netbeui l1 l2 iih lsp snp csnp psnp | link ether ppp slip fddi tr wlan radio
        """);
    private static final Words INDEXED = words("""
        ip ip6 tcp udp icmp icmp6 ether link arp rarp sctp igmp igrp pim vrrp carp atalk decnet lat sca moprc mopdl wlan
        fddi tr ppp slip | radio ah esp iso isis stp ipx netbeui aarp l1
        """);
    private static final Words OF_HOSTS =
            words("ip arp rarp | ip6 tcp udp sctp icmp icmp6 ether decnet atalk lat esp iso");
    private static final Words OF_PORTS = words("tcp udp sctp | ip ip6 icmp ether arp stp");
    private static final Words OF_PROTOCOLS = words("ip ip6 ether | iso isis tcp arp decnet radio wlan link clnp");
    private static final Words LAYERS = words("""
        vlan vlan_100 vlan_0x64 vlan_4095 mpls mpls_7 mpls_1048575 pppoed pppoes pppoes_5 geneve geneve_9 vlan_(5)
        mpls_((3)) geneve_0xffffff | vlan_4096 mpls_1048576 pppoes_65536 geneve_16777216 vlan_5000
        """);
    private static final Words PRIMITIVES = words("""
        broadcast multicast ether_broadcast ether_multicast ip_multicast ip6_multicast less_100 greater_60
        less_0xffffffff byte_3_>_5 byte_0_=_255 byte_1_<_7 byte_4_&_1 byte_4_|_1 llc llc_u
        icmp_and_icmp[icmptype]_=_icmp-echo icmp6[icmp6type]_=_icmp6-echo |
        ip_broadcast ip6_broadcast arp_multicast tcp_broadcast inbound outbound ifindex_3 ifname_eth0 on_en0
        rset_x ruleset_y rnr_3 rulenum_4 srnr_5 subrulenum_6 reason_match reason_short reason_7 reason_none
        action_pass action_block action_nat action_none action_4 action_synproxy-drop
        lane metac bcc oam oamf4 oamf4ec oamf4sc sc ilmic connectmsg metaconnect vpi_1 vci_>_5 vpi_!=_3 vci_(5_or_6)
        vpi_<=_2 fisu lssu lsu msu hfisu hlssu hmsu sio_3 opc_>_12 dpc_16383 sls_(1_or_2) hsio_4 hopc_9 hdpc_=_1
        hsls_!=_5 opc_16384 sls_16 vpi_256 vci_65536
        llc_i llc_s llc_rr llc_rnr llc_rej llc_ui llc_ua llc_disc llc_sabme llc_test llc_xid llc_frmr llc_dm llc_UI
        llc_Rr llc_foo
        """);
    private static final Words WIRELESS = words("""
        type_mgt type_management type_ctl type_data type_0 type_8 subtype_beacon subtype_qos subtype_ack subtype_data
        type_mgt_subtype_probe-req type_ctl_subtype_rts type_data_subtype_null type_mgt_subtype_0x40 wlan_type_data
        dir_nods dir_tods dir_fromds dir_dstods dir_3 direction_tods type_mgt_subtype_deauthentication
        subtype_DISASSOC type_DATA | type_1 type_foo subtype_foo type_mgt_subtype_rts type_data_subtype_0xf1 dir_4
        dir_foo subtype_bar subtype_ba type_ctl_subtype_bar type_1_subtype_0x10 subtype_16 type_tcp
        """);
    private static final Words DIRECTIONS = words(
            "src dst src_or_dst dst_or_src src_and_dst dst_and_src src_||_dst src_&&_dst | src_or_src dst_and src_dst");
    private static final Words WIRELESS_DIRECTIONS =
            words("ra ta addr1 addr2 addr3 addr4 address1 address2 address3 address4 |");
    private static final Words HOSTS = words("""
        10.0.0.1 192.168.1.2 127.0.0.1 255.255.255.255 0.0.0.0 10 10.1 10.1.2 ::1 :: fe80::1 2001:db8::5 1::2:3:4:5:6:7
        2001:DB8:1:2:3:4:5:6 ::ffff:1.2.3.4 1:2:3:4:5:6:7:: 1:2:3:4:5:6:1.2.3.4 3232235777 0x0a000001 4294967295
        \\10.0.0.1 \\::1 | 0 256.1.1.1 1.2.3.300 0x0a.1.1.1 010.1.1.1 1.2.3.4.5 1:2:3:: ::1.2.3.256 12345::1 1::2::3
        ::1.2.3.010 \\1.2 \\010.0x1.2 \\256.1 \\1.2.3.4.5 \\08 \\foo
        """);
    private static final Words NETS = words("""
        10 192.168 10.1.2 10.0.0.0/8 172.16.0.0/12 10.0.0.0_mask_255.0.0.0 10_mask_255.0 10.1_mask_255.255
        2001:db8::/32 0.0.0.0/0 ::/0 10.1/16 192.168.1.1/32 fe80::/10 ::1/128 167772160 256 65536 0x0a 1.2.3.4
        2001:db8::1 10.0.0.0_mask_255.0.255.0 10.0.0.0/0x8 224.0.0.0/4 10.0.0.0_/_8 |
        10.0.0.1/8 10/8 1.2.3.4/33 fe80::1/10 ::1/129 10.0.0.5_mask_255.0.0.0 0/0 192.168.0.0/4294967295 127_mask_127
        10.0.0.0_mask_::1 ::1_mask_1.2
        """);
    private static final Words MACS = words("""
        1:2:3:4:5:6 ff:ff:ff:ff:ff:ff 00-11-22-33-44-55 0.1.2.3.4.5 0011.2233.4455 001122334455 aA:Bb:cC:dD:Ee:fF
        01:80:c2:00:00:00 0:0:0:0:0:0 | 1:2:3 1:2:3:4:5 1:2:3:4:5:6:7 $5 $af $123 1:2-3:4:5:6 12:34:56:78:9a:bcd
        """);
    private static final Words PORTS = words("""
        80 5060 53 http domain 0 65535 ftp-data ssh snmp sip 0x50 0120 \\80 \\domain who login syslog x11-0 http-alt
        krb5_prop \\http z3950 isakmp bootps | 65536 70000 08 nosuchport amqp \\-5
        """);
    private static final Words RANGES = words("""
        5060-5090 1-1024 90-80 0-65535 80 http-https 80-domain 5-5 0-0 \\1-5 22-ssh |
        ftp-data-ssh 1-70000 10-20x domain-80 65535-65536 nosuch-80 1-http 5-
        """);
    private static final Words NUMBERS = words("""
        6 17 1 58 0x800 0x86dd 0x0806 255 0 44 51 59 1500 1501 65535 129 131 0xaaaa 2 89 |
        \\tcp \\udp \\icmp \\sctp \\ip \\ip6 \\arp aarp \\stp \\iso loopback nosuch \\isis \\clnp gre ospf \\vrrp ipv6-icmp
        eigrp \\ah \\esp l2tp ipv6 hopopt \\ipx \\netbeui \\atalk \\decnet \\lat 256 65536 4294967295 TCP UDP tcp
        """);
    private static final Words CONSTANTS = words("""
        0 1 2 4 8 0x0f 255 0xffff 0xffffffff 31 1500 0x10000 017 65535 3 0X1F tcp-syn tcp-fin tcp-rst tcp-push tcp-ack
        tcp-urg tcp-ece tcp-cwr tcpflags icmptype icmpcode icmp-echo icmp-echoreply icmp-unreach icmp6type
        icmp6-routeradvert icmp6-multicastrouterterm icmp-maskreply | 32 33 09 4294967296 tcp-foo
        """);
    private static final String[] OPERATORS = {"+", "-", "*", "/", "&", "|", "<<", ">>", "%", "^"};
    private static final String[] RELATIONS = {"=", "!=", "<", ">", "<=", ">=", "=="};
    private static final String[] CONNECTIVES = {"and", "or", "&&", "||"};
    private static final String[] KINDS = {"host", "net", "port", "portrange", "proto", "protochain", "gateway"};
    private static final String[] SPACE = {" ", " ", " ", "  ", "\t", "\n", " \r\n"};

    private final SplittableRandom random;
    /** Whether words that make no sense are left out. */
    private boolean isSound;

    RandomExpressions(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A line between words stands for a space, the first bar that stands alone for the end of those that are sound. */
    private static Words words(String text) {
        List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+", -1)));
        int sound = words.indexOf("|");
        words.remove(sound);
        words.replaceAll(word -> word.replace('_', ' '));
        return new Words(List.copyOf(words.subList(0, sound)), List.copyOf(words));
    }

    private String oneOf(String... words) {
        return words[random.nextInt(words.length)];
    }

    private String oneOf(Words words) {
        List<String> choice = isSound ? words.sound : words.all;
        return choice.get(random.nextInt(choice.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Most of them well-formed; whether a link type can answer them is another question. */
    String next() {
        isSound = chance(70);
        String expression = chance(25) ? term(0) : expression(2);
        if (chance(isSound ? 3 : 8)) {
            expression = broken(expression);
        }
        return chance(10) ? spaced(expression) : expression;
    }

    private String expression(int depth) {
        int terms = depth > 0 ? random.nextInt(1, 5) : random.nextInt(1, 3);
        StringBuilder expression = new StringBuilder();
        for (int i = 0; i < terms; i++) {
            if (i > 0) {
                expression.append(' ').append(oneOf(CONNECTIVES)).append(' ');
            }
            if (chance(20)) {
                expression.append(oneOf("not ", "! ", "!", "not not "));
            }
            if (isSound && chance(10)) {
                expression.append(heirs());
            } else {
                expression.append(i > 0 && !isSound && chance(8) ? inheriting() : term(depth));
            }
        }
        return expression.toString();
    }

    /** A value with qualifiers, and others that take them over. */
    private String heirs() {
        String kind = oneOf("host", "net", "port", "portrange", "proto");
        StringBuilder values = new StringBuilder(chance(30) ? oneOf(DIRECTIONS) + ' ' : "");
        if (kind.equals("proto")) {
            values.setLength(0);
        }
        boolean isBracketed = chance(50);
        values.append(kind).append(isBracketed ? " (" : " ").append(value(kind));
        for (int more = random.nextInt(1, 4); more > 0; more--) {
            values.append(' ').append(oneOf(CONNECTIVES)).append(chance(20) ? " not " : " ");
            values.append(chance(20) ? "(" + value(kind) + ")" : value(kind));
        }
        return values.append(isBracketed ? ")" : "").toString();
    }

    /** What takes the qualifiers of what stands before it, whether or not they go together. */
    private String inheriting() {
        return switch (random.nextInt(8)) {
            case 0 ->
                oneOf("(80 or 443)", "(80 or 443 or not 22)", "(10.0.0.1 or ::1)", "((80))", "(not 80)", "(http)");
            case 1 -> oneOf(PORTS);
            case 2 -> oneOf(HOSTS);
            case 3 -> oneOf(NETS);
            case 4 -> oneOf(MACS);
            case 5 -> oneOf(RANGES);
            case 6 -> oneOf(NUMBERS);
            default -> "(" + oneOf(PORTS) + ' ' + oneOf(CONNECTIVES) + ' ' + oneOf(HOSTS) + ')';
        };
    }

    private String term(int depth) {
        int kind = random.nextInt(100);
        if (kind < 14) {
            return oneOf(PROTOCOLS);
        } else if (kind < 42) {
            return match();
        } else if (kind < 64) {
            return relation();
        } else if (kind < 78) {
            return oneOf(LAYERS);
        } else if (kind < 86) {
            return oneOf(PRIMITIVES);
        } else if (kind < 89) {
            return isSound && chance(80) ? oneOf(PRIMITIVES) : oneOf(WIRELESS);
        } else if (depth == 0) {
            return match();
        }
        return '(' + expression(depth - 1) + ')';
    }

    /** Qualifiers and a value; those of a sound expression go together. */
    private String match() {
        String kind = KINDS[random.nextInt(isSound ? KINDS.length - 1 : KINDS.length)];
        boolean isProto = kind.startsWith("proto");
        if (kind.equals("host") && chance(25)) {
            String direction = chance(50) ? "" : oneOf(chance(90) ? DIRECTIONS : WIRELESS_DIRECTIONS) + ' ';
            return (isSound || chance(90) ? "ether " : "") + direction + "host " + oneOf(MACS);
        }
        Words protocols = isProto ? OF_PROTOCOLS : kind.startsWith("port") ? OF_PORTS : OF_HOSTS;
        String protocol = chance(60) ? "" : oneOf(isSound || chance(50) ? protocols : PROTOCOLS) + ' ';
        String direction = chance(50) || isProto && isSound ? "" : oneOf(DIRECTIONS) + ' ';
        if (chance(15) && !(isProto && isSound)) {
            return protocol + (direction.isEmpty() ? "src " : direction) + value(isSound ? "host" : kind);
        }
        if (isSound && kind.equals("protochain") && protocol.equals("ether ")) {
            protocol = "ip6 ";
        }
        return protocol + direction + kind + ' ' + value(isSound || chance(90) ? kind : oneOf(KINDS));
    }

    private String value(String kind) {
        return switch (kind) {
            case "host" -> oneOf(HOSTS);
            case "net" -> oneOf(NETS);
            case "port" -> oneOf(PORTS);
            case "portrange" -> oneOf(RANGES);
            case "gateway" -> oneOf("router", "10.0.0.1", "5");
            default -> oneOf(NUMBERS);
        };
    }

    private String relation() {
        String space = chance(15) ? "" : " ";
        return arithmetic(3) + space + oneOf(RELATIONS) + space + arithmetic(2);
    }

    private String arithmetic(int depth) {
        int kind = random.nextInt(100);
        if (depth == 0 || kind < 30) {
            return oneOf(CONSTANTS);
        } else if (kind < 38) {
            return oneOf("len", "len", "length");
        } else if (kind < 74) {
            String index = chance(20) ? arithmetic(depth - 1) : chance(10) ? oneOf(CONSTANTS) : "" + random.nextInt(60);
            String size = isSound || chance(90) ? oneOf("", "", ":2", ":4", ":1") : oneOf(":3", ":0", ":8", ":len");
            return oneOf(INDEXED) + '[' + index + size + ']';
        } else if (kind < 79) {
            return '(' + arithmetic(depth - 1) + ')';
        } else if (kind < 83) {
            return oneOf("-", "- ") + arithmetic(depth - 1);
        }
        String space = chance(20) ? "" : " ";
        return arithmetic(depth - 1) + space + oneOf(OPERATORS) + space + arithmetic(depth - 1);
    }

    /** A word too few, too many, or in another place. */
    private String broken(String expression) {
        List<String> words = new ArrayList<>(List.of(expression.split(" ", -1)));
        int at = random.nextInt(words.size());
        switch (random.nextInt(5)) {
            case 0 -> words.remove(at);
            case 1 -> words.add(at, words.get(random.nextInt(words.size())));
            case 2 -> words.add(words.remove(at));
            case 3 ->
                words.add(at, oneOf("(", ")", "[", "]", ":", "/", "mask", "and", "not", "-", "1", "foo", "@", "tcp"));
            default -> {
                String word = words.get(at);
                words.set(at, word.isEmpty() ? "\\" : word.substring(0, random.nextInt(word.length())));
            }
        }
        return String.join(" ", words);
    }

    private String spaced(String expression) {
        StringBuilder spaced = new StringBuilder(oneOf("", " ", "\n"));
        for (String word : expression.split(" ", -1)) {
            spaced.append(word).append(oneOf(SPACE));
        }
        return spaced.toString();
    }
}
