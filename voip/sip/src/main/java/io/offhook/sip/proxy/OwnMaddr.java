package io.offhook.sip.proxy;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipUriView;
import io.offhook.sip.edit.OctetWriter;
import java.nio.charset.StandardCharsets;

/**
 * A Request-URI whose maddr parameter is ours has arrived: without it, and without the port and transport that led here, it
 * says where the request goes next (RFC 3261, 16.4). Reused.
 */
final class OwnMaddr {
    private static final byte[] MADDR = "maddr".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRANSPORT = "transport".getBytes(StandardCharsets.US_ASCII);
    private static final int LIMIT = 65_535;

    private final OctetWriter out = new OctetWriter(LIMIT);

    /** Whether a URI names us by maddr, and the port and transport by which the request came. */
    boolean isOwn(SipUriView uri, SipHop source, ProxyIdentity identity) {
        return uri.isWellFormed()
                && uri.isSip()
                && uri.find(MADDR)
                && identity.isOwnHost(uri.octets(), uri.valueOffset(), uri.valueLength())
                && identity.isListener(uri, source.listener());
    }

    /** The URI without maddr, transport and a port other than the scheme's own; valid until the next call. */
    OctetWriter strip(SipUriView uri) {
        byte[] octets = uri.octets();
        int hostEnd = uri.hostOffset() + uri.hostLength();
        int ownPort = uri.isSecure() ? 5061 : 5060;
        int end = uri.port() == ownPort ? uri.parametersOffset() : hostEnd;
        out.clear();
        out.put(octets, uri.offset(), end - uri.offset());
        int at = uri.parametersOffset();
        while (at < uri.parametersEnd()) {
            int next = at + 1;
            while (next < uri.parametersEnd() && octets[next] != ';') {
                next++;
            }
            if (!isParameter(octets, at + 1, next, MADDR) && !isParameter(octets, at + 1, next, TRANSPORT)) {
                out.put(octets, at, next - at);
            }
            at = next;
        }
        return out.put(octets, at, uri.offset() + uri.length() - at);
    }

    private static boolean isParameter(byte[] octets, int from, int end, byte[] lowerCase) {
        int after = from + lowerCase.length;
        if (after > end || after < end && octets[after] != '=') {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if ((octets[from + i] | 0x20) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }
}
