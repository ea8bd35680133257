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

    /** Whether the value must change: the sender asks for its port, or sent-by is not its address. */
    public boolean isNeeded(SipViaView via, byte[] octets, SipHop source) {
        return via.find(RPORT) || !isSentBy(via, octets, source);
    }

    /** Appends the value with {@code received}, and {@code rport} if it was asked for. */
    public void write(SipViaView via, byte[] octets, SipHop source, OctetWriter out) {
        boolean asks = via.find(RPORT);
        int rportStart = asks ? via.valueOffset() : 0;
        int rportLength = asks ? via.valueLength() : 0;
        boolean had = via.find(RECEIVED) && via.valueLength() > 0;
        int receivedStart = via.valueOffset();
        int receivedLength = via.valueLength();
        int end = via.offset() + via.length();
        if (!asks && isSentBy(via, octets, source) && !had) {
            out.put(octets, via.offset(), via.length());
            return;
        }
        int at = via.offset();
        // two values at most are replaced: in the order in which they stand
        for (int turn = 0; turn < 2; turn++) {
            boolean rportNext = asks && rportStart >= at && (!had || receivedStart < at || rportStart < receivedStart);
            boolean receivedNext = had && receivedStart >= at && !rportNext;
            if (rportNext) {
                out.put(octets, at, rportStart - at);
                if (rportLength == 0 && octets[rportStart - 1] != '=') {
                    out.put('=');
                }
                out.putDecimal(source.port());
                at = rportStart + rportLength;
            } else if (receivedNext) {
                out.put(octets, at, receivedStart - at).putAddress(source.high(), source.low());
                at = receivedStart + receivedLength;
            }
        }
        out.put(octets, at, end - at);
        if (!had) {
            out.put(';').put(RECEIVED).put('=').putAddress(source.high(), source.low());
        }
    }

    private boolean isSentBy(SipViaView via, byte[] octets, SipHop source) {
        return host.read(octets, via.hostOffset(), via.hostLength())
                && host.low() == source.low()
                && host.high() == source.high();
    }
}
