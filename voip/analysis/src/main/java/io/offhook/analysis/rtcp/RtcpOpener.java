package io.offhook.analysis.rtcp;

import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.sip.SipMessageView;
import org.jspecify.annotations.Nullable;

/**
 * Opens RTCP that is encrypted (SRTCP), of one analysis. Called by one thread at a time, in the order of capture, but for {@link
 * #open}: it is called once all SIP of a round was passed.
 */
public interface RtcpOpener extends AutoCloseable {
    /** A SIP message was captured, whose SDP may have keys. Arguments are borrowed until it returns. */
    void message(SipMessageView message, SipPacket packet);

    /**
     * Opens a packet.
     *
     * @param packet as captured; its bytes are borrowed
     * @return the opened packet, whose bytes stay until the next call; null if it is not encrypted, or there is no key that
     *     opens it
     */
    @Nullable
    RtcpPacket open(RtcpPacket packet);

    /** The analysis has ended. */
    @Override
    void close();
}
