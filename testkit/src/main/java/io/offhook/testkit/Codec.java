package io.offhook.testkit;

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
public record Codec(String name, int payloadType, int clockRate, int channels, int payloadBytes, int ptimeMs) {
    public static final Codec PCMU = new Codec("PCMU", 0, 8000, 1, 160, 20);
    public static final Codec PCMA = new Codec("PCMA", 8, 8000, 1, 160, 20);
    public static final Codec GSM = new Codec("GSM", 3, 8000, 1, 33, 20);
    public static final Codec G722 = new Codec("G722", 9, 8000, 1, 160, 20);
    public static final Codec G723 = new Codec("G723", 4, 8000, 1, 24, 30);
    public static final Codec G729 = new Codec("G729", 18, 8000, 1, 20, 20);
    public static final Codec ILBC = new Codec("iLBC", 97, 8000, 1, 38, 20);
    public static final Codec OPUS = new Codec("opus", 111, 48_000, 2, 60, 20);
    public static final Codec AMR_WB = new Codec("AMR-WB", 98, 16_000, 1, 61, 20);
    public static final Codec H264 = new Codec("H264", 102, 90_000, 1, 1000, 33);
    /** Comfort noise (RFC 3389). */
    public static final Codec CN = new Codec("CN", 13, 8000, 1, 1, 200);
    /** Named telephone events (RFC 4733). */
    public static final Codec TELEPHONE_EVENT = new Codec("telephone-event", 101, 8000, 1, 4, 20);

    public Codec {
        if (payloadType < 0 || payloadType > 127) {
            throw new IllegalArgumentException("payload type " + payloadType + " is not in 0 to 127");
        }
    }

    /** The same format with another number, as dynamic payload types have it. */
    public Codec as(int otherPayloadType) {
        return new Codec(name, otherPayloadType, clockRate, channels, payloadBytes, ptimeMs);
    }

    /** The same format with more or less of it in a packet; for formats of constant rate. */
    public Codec every(int milliseconds) {
        return new Codec(name, payloadType, clockRate, channels, payloadBytes * milliseconds / ptimeMs, milliseconds);
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
