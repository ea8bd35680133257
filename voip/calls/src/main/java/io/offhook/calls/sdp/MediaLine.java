package io.offhook.calls.sdp;

import io.offhook.rtp.Codec;
import io.offhook.rtp.PayloadType;
import io.offhook.sip.MediaDescription;
import io.offhook.sip.SdpCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one media line of a session description says of the packets that come for it: what they carry, what their payload
 * types mean, and whether they are encrypted. Immutable; equal lines are interchangeable, which call they are of does not
 * show.
 */
public final class MediaLine {
    /** HMAC-SHA1-80, also the default of DTLS-SRTP (RFC 3711, 5.2; RFC 5764, 4.1.2). */
    private static final int USUAL_TAG = 10;

    /** AEAD_AES_128_GCM and AEAD_AES_256_GCM (RFC 7714, 13.1). */
    private static final int GCM_TAG = 16;

    /** HMAC-SHA1-32 (RFC 4568, 6.2). */
    private static final int SHORT_TAG = 4;

    private final String type;
    private final boolean encrypted;
    private final boolean keyed;
    private final int tagOctets;
    private final boolean speechOnly;
    private final byte[] payloadTypes;
    private final @Nullable Codec[] codecs;

    private MediaLine(String type, boolean encrypted, boolean keyed, int tagOctets, List<SdpCodec> formats) {
        this.type = type;
        this.encrypted = encrypted;
        this.keyed = keyed;
        this.tagOctets = tagOctets;
        boolean found = false;
        payloadTypes = new byte[formats.size()];
        codecs = new Codec[formats.size()];
        for (int i = 0; i < codecs.length; i++) {
            payloadTypes[i] = (byte) formats.get(i).payloadType();
            codecs[i] = codecOf(formats.get(i));
            found |= isWithoutAnnexB(formats.get(i));
        }
        speechOnly = found;
    }

    static MediaLine of(MediaDescription media) {
        return new MediaLine(
                media.type(),
                media.isEncrypted(),
                media.security().hasKeys(),
                tagOctets(media.security().cryptoSuites()),
                media.codecs());
    }

    /** The longest tag of the suites: an answer has one of those that the offer lists (RFC 4568, 5.1.2). */
    private static int tagOctets(List<String> suites) {
        int longest = suites.isEmpty() ? USUAL_TAG : SHORT_TAG;
        for (String suite : suites) {
            int tag = suite.endsWith("_32") ? SHORT_TAG : suite.endsWith("_GCM") ? GCM_TAG : USUAL_TAG;
            longest = Math.max(longest, tag);
        }
        return longest;
    }

    /** Annex B of G.729, silence suppression, is on unless SDP says otherwise (RFC 4856, 2.1.9). */
    private static boolean isWithoutAnnexB(SdpCodec format) {
        return format.formatParameters()
                .replace(" ", "")
                .toLowerCase(Locale.ROOT)
                .contains("annexb=no");
    }

    /** Whether it refuses that pauses are not sent, where the codec leaves a choice (G.729; RFC 7261). */
    public boolean isSpeechOnly() {
        return speechOnly;
    }

    /** "audio", "video", "image"... */
    public String type() {
        return type;
    }

    /** SRTP by its protocol. */
    public boolean isEncrypted() {
        return encrypted;
    }

    /** Whether it names keys for SRTP, which its protocol need not ask for (RFC 8643). */
    public boolean isKeyed() {
        return keyed;
    }

    /** Whether it asks for SRTP, or offers it. */
    public boolean mayBeEncrypted() {
        return encrypted || keyed;
    }

    /** Octets of the authentication tag behind each payload, if it is SRTP. */
    public int tagOctets() {
        return tagOctets;
    }

    /** Whether RTP comes for it: it lists payload types. */
    public boolean isRtp() {
        return payloadTypes.length > 0;
    }

    /** Whether the line names this payload type among its formats. */
    public boolean lists(int payloadType) {
        return indexOf(payloadType) >= 0;
    }

    /** What a payload type means; null where the line does not list it, or does not say. */
    public @Nullable Codec codec(int payloadType) {
        int index = indexOf(payloadType);
        return index < 0 ? null : codecs[index];
    }

    private int indexOf(int payloadType) {
        for (int i = 0; i < payloadTypes.length; i++) {
            if (payloadTypes[i] == payloadType) {
                return i;
            }
        }
        return -1;
    }

    /** A format of SDP as a codec; the static payload types need no rtpmap (RFC 3551, 6). */
    public static @Nullable Codec codecOf(SdpCodec codec) {
        return codec.encodingName().isEmpty() || codec.clockRate() <= 0
                ? PayloadType.staticCodec(codec.payloadType())
                : new Codec(
                        codec.encodingName(),
                        clockRate(codec),
                        Math.max(1, codec.channels()),
                        hasModes(codec) ? codec.formatParameters() : "");
    }

    /** Whether the parameters matter to what the packets mean; those of others would only take room. */
    private static boolean hasModes(SdpCodec codec) {
        return switch (codec.encodingName().toUpperCase(Locale.ROOT)) {
            case "AMR", "AMR-WB", "EVS" -> true;
            default -> false;
        };
    }

    /** RTP timestamps of G.722 count at 8000 Hz, for an error of RFC 1890 (RFC 3551, 4.5.2); some devices write 16000. */
    private static int clockRate(SdpCodec codec) {
        return codec.encodingName().equalsIgnoreCase("G722") ? 8000 : codec.clockRate();
    }

    // written out, codecs too: what the compiler makes of a record is linked at its first use

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof MediaLine that)
                || encrypted != that.encrypted
                || keyed != that.keyed
                || tagOctets != that.tagOctets
                || speechOnly != that.speechOnly
                || !type.equals(that.type)
                || !Arrays.equals(payloadTypes, that.payloadTypes)) {
            return false;
        }
        for (int i = 0; i < codecs.length; i++) {
            if (!isSame(codecs[i], that.codecs[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(@Nullable Codec one, @Nullable Codec other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.clockRate() == other.clockRate()
                && one.channels() == other.channels()
                && one.encodingName().equals(other.encodingName())
                && one.parameters().equals(other.parameters());
    }

    @Override
    public int hashCode() {
        int hash = type.hashCode() * 31 + Arrays.hashCode(payloadTypes);
        for (Codec codec : codecs) {
            hash = hash * 31 + (codec == null ? 0 : codec.encodingName().hashCode() + codec.clockRate());
        }
        return hash;
    }
}
