package io.offhook.proxy.dns;

/** The types of records that locating a SIP server takes (RFC 1035, 3596, 2782, 3403). */
enum DnsType {
    A(1),
    AAAA(28),
    SRV(33),
    NAPTR(35);

    private final int code;

    DnsType(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
