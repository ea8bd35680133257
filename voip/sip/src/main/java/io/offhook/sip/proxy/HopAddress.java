package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipHost;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUriView;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a URI leads if its host, or its maddr parameter, is an address (RFC 3263, 4.1 and 4.2, without DNS). Reused; it
 * allocates nothing.
 */
final class HopAddress {
    private static final byte[] MADDR = ascii("maddr");
    private static final byte[] TRANSPORT = ascii("transport");
    private static final SipTransport[] TRANSPORTS = SipTransport.values();
    private static final byte[][] NAMES = new byte[TRANSPORTS.length][];

    static {
        for (int i = 0; i < TRANSPORTS.length; i++) {
            NAMES[i] = ascii(TRANSPORTS[i].name());
        }
    }

    /** What a URI's host is. */
    enum Kind {
        /** An address; the hop is set. */
        ADDRESS,
        /** A name, to be looked up. */
        NAME,
        /** Not a SIP URI, or its transport is unknown. */
        NONE
    }

    private final SipHost host = new SipHost();

    /** Whether a URI says by its parameter which transport is wanted. */
    static boolean namesTransport(SipUriView uri) {
        return uri.find(TRANSPORT);
    }

    /** Sets the hop's transport, address and port if they are in the URI. */
    Kind read(SipUriView uri, SipHop hop) {
        if (!uri.isWellFormed() || !uri.isSip()) {
            return Kind.NONE;
        }
        SipTransport transport = transport(uri);
        if (transport == null) {
            return Kind.NONE;
        }
        boolean isAddress = uri.find(MADDR)
                ? host.read(uri.octets(), uri.valueOffset(), uri.valueLength())
                : host.read(uri.octets(), uri.hostOffset(), uri.hostLength());
        if (!isAddress) {
            return Kind.NAME;
        }
        hop.set(transport, -1, host.high(), host.low(), uri.port() < 0 ? transport.defaultPort() : uri.port());
        return Kind.ADDRESS;
    }

    /** The transport that a URI names, or else has by default; null if it names an unknown one. */
    static @Nullable SipTransport transport(SipUriView uri) {
        if (!uri.find(TRANSPORT)) {
            return uri.isSecure() ? SipTransport.TLS : SipTransport.UDP;
        }
        for (int i = 0; i < TRANSPORTS.length; i++) {
            if (isName(uri.octets(), uri.valueOffset(), uri.valueLength(), NAMES[i])) {
                return secured(TRANSPORTS[i], uri.isSecure());
            }
        }
        return null;
    }

    private static SipTransport secured(SipTransport transport, boolean isSecure) {
        if (!isSecure) {
            return transport;
        }
        return transport == SipTransport.TCP || transport == SipTransport.UDP
                ? SipTransport.TLS
                : transport == SipTransport.WS ? SipTransport.WSS : transport;
    }

    private static boolean isName(byte[] text, int offset, int length, byte[] upperCase) {
        if (length != upperCase.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((text[offset + i] & ~0x20) != upperCase[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
