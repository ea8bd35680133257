package io.offhook.report.text;

import java.util.Locale;

/** Formats numbers and names for sentences. */
public final class Words {
    private Words() {}

    /** "1 call", "1,204 calls". */
    public static String count(long count, String noun) {
        return Decimals.grouped(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** "sipMalformed" as "SIP malformed": the name of a counter. */
    public static String ofCamelCase(String name) {
        StringBuilder words = new StringBuilder();
        for (String word : name.split("(?=[A-Z])", -1)) {
            String lower = word.toLowerCase(Locale.ROOT);
            words.append(words.isEmpty() ? "" : " ")
                    .append(
                            switch (lower) {
                                case "sip",
                                        "rtp",
                                        "rtcp",
                                        "tcp",
                                        "tls",
                                        "udp",
                                        "sctp",
                                        "ip",
                                        "icmp",
                                        "sdp",
                                        "hep",
                                        "turn" -> lower.toUpperCase(Locale.ROOT);
                                default -> lower;
                            });
        }
        return words.toString();
    }
}
