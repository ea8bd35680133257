package io.offhook.sip;

/**
 * A format of an RTP media line with its rtpmap and fmtp (RFC 8866, 6.6 and 6.15).
 *
 * @param payloadType 0 to 127
 * @param encodingName as written ("PCMU", "opus", "telephone-event"); "" without an rtpmap, which is valid for the
 *     static types of RFC 3551
 * @param clockRate in Hz; 0 without an rtpmap
 * @param channels 1 if not given
 * @param formatParameters the fmtp line without the payload type; "" if absent
 */
public record SdpCodec(int payloadType, String encodingName, int clockRate, int channels, String formatParameters) {

    /** Whether the format carries DTMF digits and tones (RFC 4733), which accompany a codec. */
    public boolean isTelephoneEvent() {
        return encodingName.equalsIgnoreCase("telephone-event");
    }

    /** Whether the format is comfort noise (RFC 3389), which accompanies a codec. */
    public boolean isComfortNoise() {
        return payloadType == 13 || payloadType == 19 || encodingName.equalsIgnoreCase("CN");
    }
}
