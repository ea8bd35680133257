package io.offhook.sip.registrar;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;

/** Where a REGISTER came from, which is where requests to a phone behind NAT have to go. */
public final class RegistrationSource {
    private final Endpoint endpoint;
    private final SipTransport transport;
    private final byte[] flowToken;

    /**
     * Creates a source.
     *
     * @param endpoint the address and port that the request was received from
     * @param transport what it was received by
     * @param flowToken what leads the proxy to the connection or socket again (RFC 5626, 5.2); opaque here, at most 255
     *     bytes, empty if there is none
     */
    public RegistrationSource(Endpoint endpoint, SipTransport transport, byte[] flowToken) {
        if (flowToken.length > 255) {
            throw new IllegalArgumentException("a flow token of " + flowToken.length + " bytes exceeds 255");
        }
        this.endpoint = endpoint;
        this.transport = transport;
        this.flowToken = flowToken.clone();
    }

    /** The address and port that the request was received from. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** What the request was received by. */
    public SipTransport transport() {
        return transport;
    }

    /** What leads the proxy to the connection or socket again, a copy; empty if there is nothing. */
    public byte[] flowToken() {
        return flowToken.clone();
    }

    /** Address and transport, for logs. */
    @Override
    public String toString() {
        return transport + " " + endpoint;
    }
}
