package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUriView;
import io.offhook.sip.edit.OctetWriter;
import io.offhook.sip.transaction.KeyedHash;

/**
 * The user part of our Record-Route and Path that leads back to where a request came from (RFC 5626, 5.2): a phone behind
 * NAT, or one that is reached by its connection only.
 *
 * <pre>
 *  transport listener  address   port  connection  hash
 *  1         2         32        4     16          16          hexadecimal digits
 * </pre>
 *
 * <p>The hash is keyed, so that nobody can make us send elsewhere. Reused and single-threaded.
 */
public final class FlowToken {
    /** By the digit that means them; a token may outlive the process that wrote it. */
    private static final SipTransport[] TRANSPORTS = {
        SipTransport.UDP, SipTransport.TCP, SipTransport.TLS, SipTransport.WS, SipTransport.WSS, SipTransport.SCTP
    };

    private static final int HASH = 1 + 2 + 32 + 4 + 16;
    private static final int LENGTH = HASH + 16;

    private final KeyedHash hash;
    private final SipHop hop = new SipHop();

    /** Creates a codec; all lanes need the same key. */
    public FlowToken(RouteKey key) {
        hash = key.hash("flow");
    }

    /** Appends the token of a hop. */
    public void write(SipHop to, OctetWriter out) {
        int from = out.length();
        out.putHex(digitOf(to.transport()), 1).putHex(to.listener(), 2);
        out.putHex(to.high(), 16).putHex(to.low(), 16).putHex(to.port(), 4).putHex(to.connection(), 16);
        out.putHex(mac(out.octets(), from), 16);
    }

    /** Reads the user part of a URI; false if it is no token, or not one of ours. */
    public boolean read(SipUriView uri) {
        if (uri.userLength() != LENGTH) {
            return false;
        }
        byte[] octets = uri.octets();
        int from = uri.userOffset();
        if (!isNumber(octets, from, LENGTH) || number(octets, from + HASH, 16) != mac(octets, from)) {
            return false;
        }
        int transport = (int) number(octets, from, 1);
        if (transport >= TRANSPORTS.length) {
            return false;
        }
        hop.set(
                        TRANSPORTS[transport],
                        (int) number(octets, from + 1, 2),
                        number(octets, from + 3, 16),
                        number(octets, from + 19, 16),
                        (int) number(octets, from + 35, 4))
                .connection(number(octets, from + 39, 16));
        return true;
    }

    /** The hop that was read; valid until the next call. */
    public SipHop hop() {
        return hop;
    }

    private static int digitOf(SipTransport transport) {
        int digit = 0;
        while (TRANSPORTS[digit] != transport) {
            digit++;
        }
        return digit;
    }

    private long mac(byte[] octets, int from) {
        return hash.begin().add(octets, from, HASH).end().low();
    }

    /** Whether text is digits as {@link OctetWriter#putHex} writes them. */
    static boolean isNumber(byte[] octets, int from, int digits) {
        for (int i = from; i < from + digits; i++) {
            if (digit(octets[i]) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The number of such digits. */
    static long number(byte[] octets, int from, int digits) {
        long number = 0;
        for (int i = from; i < from + digits; i++) {
            number = number << 4 | digit(octets[i]);
        }
        return number;
    }

    private static int digit(int octet) {
        return octet >= '0' && octet <= '9' ? octet - '0' : octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
    }
}
