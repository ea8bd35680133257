package io.offhook.filter;

import java.util.Locale;

/** The protocol qualifier of a primitive: {@code tcp} in {@code tcp src port 80}. */
enum KeywordProtocol {
    /** No protocol is named: all that fit the rest of the primitive. */
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

    /** The keyword of the protocol. */
    String word() {
        return word;
    }

    /** The protocol of a keyword, or ANY. */
    static KeywordProtocol of(String word) {
        for (KeywordProtocol protocol : values()) {
            if (protocol != ANY && protocol.word.equals(word)) {
                return protocol;
            }
        }
        return ANY;
    }
}
