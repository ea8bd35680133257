package io.offhook.calls;

import io.offhook.packet.Endpoint;

/** Endpoints from text, IPv4 and IPv6. */
final class Addresses {
    private Addresses() {}

    /** "10.0.0.1:5060". */
    static Endpoint v4(String text) {
        int colon = text.indexOf(':');
        int address = 0;
        for (String octet : text.substring(0, colon).split("\\.", -1)) {
            address = address << 8 | Integer.parseInt(octet);
        }
        return Endpoint.ofIpv4(address, Integer.parseInt(text.substring(colon + 1)));
    }

    /** 2001:db8::{@code host}. */
    static Endpoint v6(int host, int port) {
        return new Endpoint(0x2001_0db8_0000_0000L, host, port);
    }
}
