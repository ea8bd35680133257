package io.offhook.filter;

import java.util.SplittableRandom;

/** Expressions of the grammar, most of them well-formed: the same ones for the same seed. */
final class RandomExpressions {
    private static final String[] PROTOCOLS = {
        "ip", "ip6", "arp", "rarp", "tcp", "udp", "sctp", "icmp", "icmp6", "igmp", "pim", "vrrp", "ah", "esp", "atalk",
        "aarp", "decnet", "iso", "stp", "ipx", "netbeui", "l1", "isis"
    };
    private static final String[] INDEXED = {"ip", "ip6", "tcp", "udp", "icmp", "icmp6", "ether", "arp", "link", "sctp"
    };
    private static final String[] PRIMITIVES = {
        "vlan",
        "vlan 100",
        "mpls",
        "mpls 7",
        "pppoed",
        "pppoes",
        "pppoes 5",
        "geneve",
        "geneve 9",
        "broadcast",
        "multicast",
        "ip multicast",
        "ip6 multicast",
        "less 100",
        "greater 60",
        "llc",
        "llc u",
        "llc rr",
        "byte 3 > 5",
        "ether host 1:2:3:4:5:6",
        "ether dst ff:ff:ff:ff:ff:ff",
        "vlan 5000",
        "type mgt",
        "inbound"
    };
    private static final String[] ADDRESSES = {
        "10.0.0.1", "192.168.1.2", "127.0.0.1", "255.255.255.255", "::1", "fe80::1", "2001:db8::5", "::ffff:1.2.3.4"
    };
    private static final String[] NETS = {
        "10", "192.168", "10.0.0.0/8", "172.16.0.0/12", "10.0.0.0 mask 255.0.0.0", "2001:db8::/32", "0.0.0.0/0", "::/0"
    };
    private static final String[] PORTS = {"80", "5060", "53", "http", "domain", "0", "65535", "70000"};
    private static final String[] OPERATORS = {"+", "-", "*", "/", "&", "|", "<<", ">>", "%", "^"};
    private static final String[] RELATIONS = {"=", "!=", "<", ">", "<=", ">=", "=="};

    private final SplittableRandom random;

    RandomExpressions(long seed) {
        random = new SplittableRandom(seed);
    }

    private String oneOf(String... words) {
        return words[random.nextInt(words.length)];
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    String next() {
        return expression(2);
    }

    private String expression(int depth) {
        int terms = depth > 0 ? random.nextInt(1, 5) : 1;
        StringBuilder expression = new StringBuilder();
        for (int i = 0; i < terms; i++) {
            if (i > 0) {
                expression.append(oneOf(" and ", " or ", " && ", " || "));
            }
            if (chance(20)) {
                expression.append(oneOf("not ", "! "));
            }
            boolean inherits = i > 0 && chance(6);
            expression.append(inherits ? oneOf("80", "10.0.0.1", "(80 or 443)") : term(depth));
        }
        return expression.toString();
    }

    private String term(int depth) {
        int kind = random.nextInt(100);
        if (kind < 18) {
            return oneOf(PROTOCOLS);
        } else if (kind < 45) {
            return match();
        } else if (kind < 72) {
            return arithmetic(3) + ' ' + oneOf(RELATIONS) + ' ' + arithmetic(2);
        } else if (kind < 86 || depth == 0) {
            return oneOf(PRIMITIVES);
        }
        return '(' + expression(depth - 1) + ')';
    }

    private String match() {
        String direction = oneOf("", "", "", "src ", "dst ", "src or dst ", "src and dst ");
        return switch (random.nextInt(5)) {
            case 0 -> direction + "host " + oneOf(ADDRESSES);
            case 1 -> direction + "net " + oneOf(NETS);
            case 2 -> oneOf("", "tcp ", "udp ") + direction + "port " + oneOf(PORTS);
            case 3 -> oneOf("", "udp ") + direction + "portrange " + oneOf("5060-5090", "1-1024", "90-80");
            default -> oneOf("", "ip ", "ip6 ", "ether ") + "proto " + oneOf("6", "17", "0x800", "\\ip", "255");
        };
    }

    private String arithmetic(int depth) {
        int kind = random.nextInt(100);
        if (depth == 0 || kind < 35) {
            return oneOf("0", "1", "2", "4", "8", "0x0f", "255", "0xffff", "0xffffffff", "tcp-syn", "31");
        } else if (kind < 42) {
            return "len";
        } else if (kind < 76) {
            String index = chance(20) ? "ip[0] & 0xf" : String.valueOf(random.nextInt(60));
            return oneOf(INDEXED) + '[' + index + oneOf("", "", ":2", ":4") + ']';
        } else if (kind < 81) {
            return '(' + arithmetic(depth - 1) + ')';
        } else if (kind < 84) {
            return '-' + arithmetic(depth - 1);
        }
        return arithmetic(depth - 1) + ' ' + oneOf(OPERATORS) + ' ' + arithmetic(depth - 1);
    }
}
