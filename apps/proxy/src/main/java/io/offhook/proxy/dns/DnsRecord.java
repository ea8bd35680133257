package io.offhook.proxy.dns;

import io.offhook.packet.IpAddress;

/** The data of a record, as far as it is used. Names are as in a {@link DnsQuestion}, or "." for the root. */
sealed interface DnsRecord {
    /** A or AAAA. */
    record Address(IpAddress address) implements DnsRecord {}

    /** SRV (RFC 2782): numbers of 16 bits. */
    record Service(int priority, int weight, int port, String target) implements DnsRecord {}

    /** NAPTR (RFC 3403, 4.1): numbers of 16 bits. */
    record Pointer(int order, int preference, String flags, String service, String regexp, String replacement)
            implements DnsRecord {}
}
