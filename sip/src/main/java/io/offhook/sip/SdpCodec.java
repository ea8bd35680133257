package io.offhook.sip;

/**
 * One format of an RTP media line with its rtpmap and fmtp (RFC 8866, 6.6 and 6.15).
 *
 * @param payloadType 0 to 127
 * @param encodingName as written ("PCMU", "opus", "telephone-event"); "" where there is no rtpmap, which is right for
 *     the static types of RFC 3551
 * @param clockRate Hz; 0 where there is no rtpmap
 * @param channels 1 where none are given
 * @param formatParameters the fmtp line without the payload type; "" where there is none
 */
public record SdpCodec(int payloadType, String encodingName, int clockRate, int channels, String formatParameters) {

    /** DTMF digits and tones (RFC 4733), which come beside a codec rather than being one. */
    public boolean isTelephoneEvent() {
        return encodingName.equalsIgnoreCase("telephone-event");
    }

    /** Comfort noise (RFC 3389): not a codec that a call would be said to use. */
    public boolean isComfortNoise() {
        return payloadType == 13 || payloadType == 19 || encodingName.equalsIgnoreCase("CN");
    }
}
