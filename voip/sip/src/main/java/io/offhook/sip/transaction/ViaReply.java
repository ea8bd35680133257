package io.offhook.sip.transaction;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipHost;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipViaView;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where the responses to a request go (RFC 3261, 18.2.2; RFC 3581, 4): over a stream, back on its connection; over UDP, to
 * maddr if it is the address of one host, else to the source address, and there to the source port if the sender asks for it by rport,
 * else to the port of sent-by. Reused.
 */
public final class ViaReply {
    private static final byte[] MADDR = "maddr".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RECEIVED = "received".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RPORT = "rport".getBytes(StandardCharsets.US_ASCII);

    private static final long V4_PREFIX = 0xffffL;
    private static final int FIRST_V4_MULTICAST = 224;
    private static final int V6_MULTICAST = 0xff;

    private final SipHop hop = new SipHop();
    private final SipHost host = new SipHost();
    private int sentByPort;

    /** Creates an object without result. */
    public ViaReply() {}

    /** Finds the place for the responses to a request with this topmost Via. */
    public void compute(SipViaView via, byte[] octets, SipHop source) {
        SipTransport transport = source.transport();
        sentByPort = via.port() < 0 ? transport.defaultPort() : via.port();
        hop.set(source);
        if (transport.isReliable()) {
            return;
        }
        if (via.find(MADDR) && host.read(octets, via.valueOffset(), via.valueLength()) && isUnicast()) {
            hop.set(transport, source.listener(), host.high(), host.low(), sentByPort);
        } else if (!via.find(RPORT)) {
            hop.port(sentByPort);
        }
    }

    /**
     * Finds the place for a response from what a Via says, for one whose request left no trace here: the address is that in
     * received, else in sent-by.
     *
     * @param scratch is overwritten
     * @return false if there is no address
     */
    public boolean computeFromReceived(SipViaView via, byte[] octets, SipHop scratch) {
        SipTransport transport = transport(via);
        boolean hasAddress = via.find(RECEIVED) && host.read(octets, via.valueOffset(), via.valueLength())
                || host.read(octets, via.hostOffset(), via.hostLength());
        if (transport == null || !hasAddress) {
            return false;
        }
        scratch.set(transport, -1, host.high(), host.low(), 0);
        compute(via, octets, scratch);
        if (via.find(RPORT) && via.valueLength() > 0) {
            hop.port(port(octets, via.valueOffset(), via.valueLength()));
        } else if (transport.isReliable() || hop.port() == 0) {
            hop.port(sentByPort);
        }
        return hop.port() > 0;
    }

    /** A forged maddr must not make us send to many. */
    private boolean isUnicast() {
        if (host.high() == 0 && host.low() >>> 32 == V4_PREFIX) {
            int first = (int) (host.low() >>> 24) & 0xff;
            return first != 0 && first < FIRST_V4_MULTICAST;
        }
        return host.high() >>> 56 != V6_MULTICAST;
    }

    private static @Nullable SipTransport transport(SipViaView via) {
        String name = via.transport();
        for (SipTransport transport : SipTransport.values()) {
            if (transport.name().equalsIgnoreCase(name)) {
                return transport;
            }
        }
        return null;
    }

    private static int port(byte[] octets, int offset, int length) {
        int port = 0;
        for (int i = offset; i < offset + length; i++) {
            int digit = octets[i] - '0';
            if (digit < 0 || digit > 9 || length > 5) {
                return 0;
            }
            port = port * 10 + digit;
        }
        return port > 0xffff ? 0 : port;
    }

    /** The place; valid until the next call. */
    public SipHop hop() {
        return hop;
    }

    /** The port of sent-by, or the transport's own: where a new connection goes if that of the request is gone. */
    public int sentByPort() {
        return sentByPort;
    }
}
