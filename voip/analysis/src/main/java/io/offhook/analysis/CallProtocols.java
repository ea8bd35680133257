package io.offhook.analysis;

import io.offhook.packet.Protocol;
import io.offhook.packet.fields.ApplicationRecognizer;
import io.offhook.rtp.RtcpProtocol;
import io.offhook.rtp.RtpProtocol;
import io.offhook.sip.SipProtocol;
import java.util.ArrayList;
import java.util.List;

/** The protocols of calls, for output of single packets: SIP, RTCP and RTP before what {@code packet} knows. */
public final class CallProtocols {
    private CallProtocols() {}

    /** Names SIP, RTCP, RTP and the applications of {@code packet}; to be asked of each packet once, in order. */
    public static ApplicationRecognizer recognizer() {
        return recognizer(List.of());
    }

    /**
     * As {@link #recognizer()}, with protocols of a program's own behind those of calls.
     *
     * @param more used by this recognizer alone
     */
    public static ApplicationRecognizer recognizer(List<? extends Protocol> more) {
        List<Protocol> protocols = new ArrayList<>(
                List.of(new SipProtocol(), new SipProtocol.KeepAlive(), new RtcpProtocol(), new RtpProtocol()));
        protocols.addAll(more);
        return new ApplicationRecognizer(protocols);
    }
}
