package io.offhook.sip.edit;

import io.offhook.sip.SipHop;
import io.offhook.sip.SipHost;
import io.offhook.sip.SipViaView;
import java.nio.charset.StandardCharsets;

/**
 * What a server writes into the topmost Via of a request: from where it came (RFC 3261, 18.2.1; RFC 3581, 4). Reused and
 * single-threaded.
 */
public final class ReceivedVia {
    private static final byte[] RECEIVED = "received".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RPORT = "rport".getBytes(StandardCharsets.US_ASCII);

    private final SipHost host = new SipHost();

    /** Creates a writer. */
    public ReceivedVia() {}

    /**
     * Whether the value must change: the sender asks for its port, sent-by is not its address, or the sender claims where it
     * is, which only its receiver knows.
     */
    public boolean isNeeded(SipViaView via, byte[] octets, SipHop source) {
        return via.find(RPORT) || via.find(RECEIVED) || !isSentBy(via, octets, source);
    }

    /** Appends the value with {@code received}, and {@code rport} if it was asked for. */
    public void write(SipViaView via, byte[] octets, SipHop source, OctetWriter out) {
        if (!isNeeded(via, octets, source)) {
            out.put(octets, via.offset(), via.length());
            return;
        }
        int rport = place(via, RPORT);
        int rportEnd = rport + via.valueLength();
        int own = place(via, RECEIVED);
        int ownEnd = own + via.valueLength();
        int at = via.offset();
        // the values that are there are replaced in the order in which they stand
        if (own >= 0 && own < rport) {
            at = putReceived(octets, at, own, ownEnd, source, out);
        }
        if (rport >= 0) {
            putUpTo(octets, at, rport, out).putDecimal(source.port());
            at = rportEnd;
        }
        if (own > rport) {
            at = putReceived(octets, at, own, ownEnd, source, out);
        }
        out.put(octets, at, via.offset() + via.length() - at);
        if (own < 0) {
            out.put(';').put(RECEIVED).put('=').putAddress(source.high(), source.low());
        }
    }

    /** Where the value of a parameter is, or is to be; -1 if the parameter is absent. */
    private static int place(SipViaView via, byte[] name) {
        return via.find(name) ? via.valueOffset() : -1;
    }

    private static int putReceived(byte[] octets, int at, int from, int end, SipHop source, OctetWriter out) {
        putUpTo(octets, at, from, out).putAddress(source.high(), source.low());
        return end;
    }

    /** Copies up to the place of a value; after a name without one, the equals sign is missing. */
    private static OctetWriter putUpTo(byte[] octets, int at, int value, OctetWriter out) {
        out.put(octets, at, value - at);
        int before = value - 1;
        while (octets[before] == ' ' || octets[before] == '\t' || octets[before] == '\r' || octets[before] == '\n') {
            before--;
        }
        return octets[before] == '=' ? out : out.put('=');
    }

    private boolean isSentBy(SipViaView via, byte[] octets, SipHop source) {
        return host.read(octets, via.hostOffset(), via.hostLength())
                && host.low() == source.low()
                && host.high() == source.high();
    }
}
