package io.offhook.filter;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The words of the language: keywords in all spellings, and names of numbers. */
final class Keywords {
    /** The spellings of one keyword per line; the parser uses the first. */
    private static final String WORDS = """
        link ether ppp slip fddi tr wlan
        and
        or
        ! not
        dir direction
        addr1 address1
        addr2 address2
        addr3 address3
        addr4 address4
        len length
        ifname on
        rset ruleset
        rnr rulenum
        srnr subrulenum
        esis es-is
        isis is-is
        lssu lsu
        dst
        src
        """;

    private static final String SINGLE_WORDS = """
        arp rarp ip sctp tcp udp icmp igmp igrp pim vrrp carp radio ip6 icmp6 ah esp atalk aarp decnet lat sca moprc mopdl
        iso l1 l2 iih lsp snp csnp psnp clnp stp ipx netbeui
        host net mask port portrange proto protochain gateway type subtype ra ta
        less greater byte broadcast multicast inbound outbound ifindex vlan mpls pppoed pppoes geneve
        lane llc metac bcc oam oamf4 oamf4ec oamf4sc sc ilmic vpi vci connectmsg metaconnect
        reason action
        fisu msu hfisu hlssu hmsu sio opc dpc sls hsio hopc hdpc hsls
        """;

    private static final String NUMBERS = """
        icmptype 0 icmpcode 1 icmp-echoreply 0 icmp-unreach 3 icmp-sourcequench 4 icmp-redirect 5 icmp-echo 8
        icmp-routeradvert 9 icmp-routersolicit 10 icmp-timxceed 11 icmp-paramprob 12 icmp-tstamp 13 icmp-tstampreply 14
        icmp-ireq 15 icmp-ireqreply 16 icmp-maskreq 17 icmp-maskreply 18
        icmp6type 0 icmp6code 1 icmp6-destinationunreach 1 icmp6-packettoobig 2 icmp6-timeexceeded 3
        icmp6-parameterproblem 4 icmp6-echo 128 icmp6-echoreply 129 icmp6-multicastlistenerquery 130
        icmp6-multicastlistenerreportv1 131 icmp6-multicastlistenerdone 132 icmp6-routersolicit 133
        icmp6-routeradvert 134 icmp6-neighborsolicit 135 icmp6-neighboradvert 136 icmp6-redirect 137
        icmp6-routerrenum 138 icmp6-nodeinformationquery 139 icmp6-nodeinformationresponse 140
        icmp6-ineighbordiscoverysolicit 141 icmp6-ineighbordiscoveryadvert 142 icmp6-multicastlistenerreportv2 143
        icmp6-homeagentdiscoveryrequest 144 icmp6-homeagentdiscoveryreply 145 icmp6-mobileprefixsolicit 146
        icmp6-mobileprefixadvert 147 icmp6-certpathsolicit 148 icmp6-certpathadvert 149
        icmp6-multicastrouteradvert 151 icmp6-multicastroutersolicit 152 icmp6-multicastrouterterm 153
        tcpflags 13 tcp-fin 1 tcp-syn 2 tcp-rst 4 tcp-push 8 tcp-ack 16 tcp-urg 32 tcp-ece 64 tcp-cwr 128
        """;

    private static final int LONGEST = 32;

    private static final Map<String, String> KEYWORDS = keywords();
    private static final Map<String, Integer> VALUES = values();

    private Keywords() {}

    /** The first spelling of a keyword; null if the word is not a keyword. */
    static @Nullable String keyword(String word) {
        return KEYWORDS.get(word);
    }

    /** The number that a word names; null if it names none. */
    static @Nullable Integer number(String word) {
        return VALUES.get(word);
    }

    private static Map<String, String> keywords() {
        Map<String, String> keywords = new HashMap<>();
        for (String line : WORDS.lines().toList()) {
            String[] spellings = line.split(" ", -1);
            for (String spelling : spellings) {
                keywords.put(spelling, spellings[0]);
            }
        }
        for (String word : SINGLE_WORDS.strip().split("\\s+", -1)) {
            keywords.put(word, word);
        }
        return keywords;
    }

    /** The word of the language closest in spelling: one edit apart or, for long words, two; null if there is none. */
    static @Nullable String nearest(String word) {
        if (word.length() > LONGEST) {
            return null;
        }
        TreeSet<String> words = new TreeSet<>(KEYWORDS.keySet());
        words.addAll(VALUES.keySet());
        int least = word.length() < 3 ? 0 : word.length() < 6 ? 1 : 2;
        String nearest = null;
        for (String keyword : words) {
            int distance = distance(word.toLowerCase(Locale.ROOT), keyword);
            if (distance < least || distance == least && nearest == null) {
                least = distance;
                nearest = keyword;
            }
        }
        return nearest;
    }

    /**
     * The edit distance: insertions, deletions, substitutions and transpositions of adjacent letters that turn one word
     * into the other.
     */
    private static int distance(String one, String other) {
        int[][] distances = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    distances[i][j] = i + j;
                    continue;
                }
                boolean isSame = one.charAt(i - 1) == other.charAt(j - 1);
                int least = distances[i - 1][j - 1] + (isSame ? 0 : 1);
                least = Math.min(least, Math.min(distances[i - 1][j], distances[i][j - 1]) + 1);
                boolean isSwap = i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
                distances[i][j] = isSwap ? Math.min(least, distances[i - 2][j - 2] + 1) : least;
            }
        }
        return distances[one.length()][other.length()];
    }

    private static Map<String, Integer> values() {
        Map<String, Integer> values = new HashMap<>();
        String[] words = NUMBERS.strip().split("\\s+", -1);
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], Integer.valueOf(words[i + 1]));
        }
        return values;
    }
}
