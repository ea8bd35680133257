package io.offhook.filter;

import java.util.Locale;

/** What a primitive is about, as the language names it: {@code tcp} in {@code tcp src port 80}. */
enum Protocol {
    /** None is named: all that go with the rest. */
    ANY,
    LINK,
    IP,
    ARP,
    RARP,
    SCTP,
    TCP,
    UDP,
    ICMP,
    IGMP,
    IGRP,
    PIM,
    VRRP,
    CARP,
    ATALK,
    AARP,
    DECNET,
    LAT,
    SCA,
    MOPRC,
    MOPDL,
    IP6,
    ICMP6,
    AH,
    ESP,
    ISO,
    ESIS,
    ISIS,
    CLNP,
    STP,
    IPX,
    NETBEUI,
    L1,
    L2,
    IIH,
    LSP,
    SNP,
    CSNP,
    PSNP,
    RADIO;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** As it is written. */
    String word() {
        return word;
    }

    /** The protocol of a word of the language, or ANY. */
    static Protocol of(String word) {
        for (Protocol protocol : values()) {
            if (protocol != ANY && protocol.word.equals(word)) {
                return protocol;
            }
        }
        return ANY;
    }
}
