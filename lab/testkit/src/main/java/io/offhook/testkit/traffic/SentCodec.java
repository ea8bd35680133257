package io.offhook.testkit.traffic;

/**
 * A payload format as SDP names it, and what its packets look like.
 *
 * @param name the encoding name
 * @param payloadType 0 to 127
 * @param clockRate of the RTP timestamps, in Hz (RFC 3551: G722 says 8000)
 * @param channels as in a=rtpmap; 1 is not written
 * @param payloadBytes of a packet
 * @param ptimeMs milliseconds of sound in a packet, or between video frames
 */
public record SentCodec(String name, int payloadType, int clockRate, int channels, int payloadBytes, int ptimeMs) {
    public static final SentCodec PCMU = new SentCodec("PCMU", 0, 8000, 1, 160, 20);
    public static final SentCodec PCMA = new SentCodec("PCMA", 8, 8000, 1, 160, 20);
    public static final SentCodec GSM = new SentCodec("GSM", 3, 8000, 1, 33, 20);
    public static final SentCodec G722 = new SentCodec("G722", 9, 8000, 1, 160, 20);
    public static final SentCodec G723 = new SentCodec("G723", 4, 8000, 1, 24, 30);
    public static final SentCodec G729 = new SentCodec("G729", 18, 8000, 1, 20, 20);
    public static final SentCodec ILBC = new SentCodec("iLBC", 97, 8000, 1, 38, 20);
    public static final SentCodec OPUS = new SentCodec("opus", 111, 48_000, 2, 60, 20);
    public static final SentCodec AMR_WB = new SentCodec("AMR-WB", 98, 16_000, 1, 61, 20);
    public static final SentCodec H264 = new SentCodec("H264", 102, 90_000, 1, 1000, 33);
    /** Comfort noise (RFC 3389). */
    public static final SentCodec CN = new SentCodec("CN", 13, 8000, 1, 1, 200);
    /** Named telephone events (RFC 4733). */
    public static final SentCodec TELEPHONE_EVENT = new SentCodec("telephone-event", 101, 8000, 1, 4, 20);

    public SentCodec {
        if (payloadType < 0 || payloadType > 127) {
            throw new IllegalArgumentException("payload type " + payloadType + " is not in 0 to 127");
        }
    }

    /** The same format with another number, as dynamic payload types have it. */
    public SentCodec as(int otherPayloadType) {
        return new SentCodec(name, otherPayloadType, clockRate, channels, payloadBytes, ptimeMs);
    }

    /** The same format with more or less of it in a packet; for formats of constant rate. */
    public SentCodec every(int milliseconds) {
        return new SentCodec(
                name, payloadType, clockRate, channels, payloadBytes * milliseconds / ptimeMs, milliseconds);
    }

    boolean isVideo() {
        return clockRate == 90_000;
    }

    /** RTP timestamp units from packet to packet. */
    int timestampStep() {
        return (int) ((long) clockRate * ptimeMs / 1000);
    }

    /** The value of a=rtpmap. */
    String rtpmap() {
        return payloadType + " " + name + "/" + clockRate + (channels == 1 ? "" : "/" + channels);
    }
}
