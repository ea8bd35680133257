package io.offhook.hep;

/** What a payload is: the values of chunk 0x000b that are sent. */
public enum HepPayloadType {
    /** A SIP message. */
    SIP(1),
    /** An RTP packet. */
    RTP(4),
    /** An RTCP report as JSON. */
    RTCP_JSON(5),
    /** Figures of a media stream as JSON: {@link HepQuality#json}. */
    RTP_REPORT(34),
    /** A line of a log. */
    LOG(100);

    private final int code;

    HepPayloadType(int code) {
        this.code = code;
    }

    /** The number in the packet, 0 to 255. */
    public int code() {
        return code;
    }
}
