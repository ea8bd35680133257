package io.offhook.proxy.policy;

import io.offhook.packet.IpAddress;
import io.offhook.proxy.routing.RelayConfig;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipHost;
import io.offhook.sip.SipUriView;
import java.nio.charset.StandardCharsets;

/**
 * Whether a request may be sent on by its Request-URI. The last answers are remembered, so that a lane which relays between a
 * few peers allocates nothing. Of one thread.
 */
final class RelayAccess {
    private static final int REMEMBERED = 256;
    private static final byte[] MADDR = "maddr".getBytes(StandardCharsets.US_ASCII);

    private final RelayConfig config;
    private final SipHost host = new SipHost();
    private final long[] high = new long[REMEMBERED];
    private final long[] low = new long[REMEMBERED];
    private final byte[] answer = new byte[REMEMBERED];

    RelayAccess(RelayConfig config) {
        this.config = config;
    }

    /** Whether requests of a source may be sent on at all. */
    boolean allowsFrom(SipHop source) {
        return config.from().isEmpty() || config.allowsFrom(source.address());
    }

    /** Whether a URI leads to an address that may be sent to. */
    boolean allowsAddressOf(SipUriView uri) {
        return uri.isSip() && isAddress(uri) && allows(host.high(), host.low());
    }

    /** Whether a URI leads to an address rather than a name: that of its host, or of maddr in the place of it. */
    boolean isAddress(SipUriView uri) {
        return uri.find(MADDR)
                ? host.read(uri.octets(), uri.valueOffset(), uri.valueLength())
                : host.read(uri.octets(), uri.hostOffset(), uri.hostLength());
    }

    /** Whether an address may be sent to. */
    boolean allows(long addressHigh, long addressLow) {
        long mixed = (addressHigh * 31 + addressLow) * 0x9e37_79b9_7f4a_7c15L;
        int at = (int) (mixed >>> 56);
        if (answer[at] == 0 || high[at] != addressHigh || low[at] != addressLow) {
            high[at] = addressHigh;
            low[at] = addressLow;
            answer[at] = (byte) (config.allows(new IpAddress(addressHigh, addressLow)) ? 1 : 2);
        }
        return answer[at] == 1;
    }
}
