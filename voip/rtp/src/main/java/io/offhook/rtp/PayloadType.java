package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/** Payload types of the RTP profile for audio and video (RFC 3551, 6): the numbers with a fixed codec. */
public final class PayloadType {
    /** PCMU, 8 kHz (RFC 3551, 6). */
    public static final int PCMU = 0;
    /** GSM, 8 kHz (RFC 3551, 6). */
    public static final int GSM = 3;
    /** G723, 8 kHz (RFC 3551, 6). */
    public static final int G723 = 4;
    /** PCMA, 8 kHz (RFC 3551, 6). */
    public static final int PCMA = 8;
    /** G722, clock rate 8 kHz (RFC 3551, 6). */
    public static final int G722 = 9;
    /** CN, comfort noise (RFC 3389). */
    public static final int COMFORT_NOISE = 13;
    /** G729, 8 kHz (RFC 3551, 6). */
    public static final int G729 = 18;

    /** Comfort noise in implementations older than RFC 3551, which reserves the number. */
    public static final int OLD_COMFORT_NOISE = 19;

    /** The lowest of the numbers that only SDP binds to a codec. */
    public static final int FIRST_DYNAMIC = 96;

    private static final int VIDEO_CLOCK = 90_000;
    private static final @Nullable Codec[] STATIC = new @Nullable Codec[128];

    static {
        STATIC[PCMU] = new Codec("PCMU", 8000);
        STATIC[GSM] = new Codec("GSM", 8000);
        STATIC[G723] = new Codec("G723", 8000);
        STATIC[5] = new Codec("DVI4", 8000);
        STATIC[6] = new Codec("DVI4", 16_000);
        STATIC[7] = new Codec("LPC", 8000);
        STATIC[PCMA] = new Codec("PCMA", 8000);
        // samples at 16 kHz with a clock of 8 kHz, for compatibility with an old error (RFC 3551, 4.5.2)
        STATIC[G722] = new Codec("G722", 8000);
        STATIC[10] = new Codec("L16", 44_100, 2);
        STATIC[11] = new Codec("L16", 44_100);
        STATIC[12] = new Codec("QCELP", 8000);
        STATIC[COMFORT_NOISE] = new Codec("CN", 8000);
        STATIC[14] = new Codec("MPA", VIDEO_CLOCK);
        STATIC[15] = new Codec("G728", 8000);
        STATIC[16] = new Codec("DVI4", 11_025);
        STATIC[17] = new Codec("DVI4", 22_050);
        STATIC[G729] = new Codec("G729", 8000);
        STATIC[OLD_COMFORT_NOISE] = new Codec("CN", 8000);
        STATIC[25] = new Codec("CelB", VIDEO_CLOCK);
        STATIC[26] = new Codec("JPEG", VIDEO_CLOCK);
        STATIC[28] = new Codec("nv", VIDEO_CLOCK);
        STATIC[31] = new Codec("H261", VIDEO_CLOCK);
        STATIC[32] = new Codec("MPV", VIDEO_CLOCK);
        STATIC[33] = new Codec("MP2T", VIDEO_CLOCK);
        STATIC[34] = new Codec("H263", VIDEO_CLOCK);
    }

    private PayloadType() {}

    /**
     * The codec of a payload type without signalling.
     *
     * @param payloadType 0 to 127
     * @return null if the number is unassigned, reserved or dynamic
     */
    public static @Nullable Codec staticCodec(int payloadType) {
        return STATIC[payloadType & 0x7f];
    }

    /** Whether only SDP gives the number a codec (96 to 127). */
    public static boolean isDynamic(int payloadType) {
        return payloadType >= FIRST_DYNAMIC;
    }

    /** Whether the static codec of the number is video, or audio and video combined. */
    public static boolean isStaticVideo(int payloadType) {
        return payloadType >= 25 && payloadType <= 34 && STATIC[payloadType] != null;
    }

    /** Whether the number is reserved, so that RTCP on the same port can be distinguished from RTP (RFC 5761, 4). */
    public static boolean isReservedForRtcp(int payloadType) {
        return payloadType >= 64 && payloadType <= 95;
    }
}
