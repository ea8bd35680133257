package io.offhook.packet.walk;

import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.RadiotapView;
import io.offhook.packet.link.WlanView;

/** IEEE 802.11 data frames, and the headers that captures have before them. */
final class WirelessLayers {
    private static final int RADIOTAP_FLAGS = 1 << 1;
    private static final int RADIOTAP_TIMESTAMP = 1;
    private static final int FLAG_CHECK_SEQUENCE = 0x10;
    private static final int FLAG_PADDED = 0x20;
    private static final int PRISM_LENGTH = 144;
    /** The minimum length of AVS, and the offset of its length field, after the magic number. */
    private static final int AVS_MIN_LENGTH = 8;

    private static final int AVS_SIZE = 4;
    private static final int PPI_MIN_LENGTH = 8;
    private static final int PPI_SIZE = 2;
    private static final int PPI_LINK_TYPE = 4;
    /** The length of the header of a frame in an A-MSDU (IEEE 802.11, 9.3.2.2): two addresses, then its length. */
    private static final int SUBFRAME_LENGTH = 14;

    private static final int SUBFRAME_SIZE = 12;

    private WirelessLayers() {}

    /** The radiotap header: its length is little-endian; its flags announce a check sequence and padding. */
    static int radiotap(Walk walk) {
        if (walk.lacks(RadiotapView.MIN_LENGTH)) {
            return walk.truncated(LayerType.RADIOTAP, RadiotapView.MIN_LENGTH);
        }
        int length = little16(walk, RadiotapView.LENGTH_FIELD);
        if (length < RadiotapView.MIN_LENGTH) {
            return walk.malformed(LayerType.RADIOTAP, RadiotapView.MIN_LENGTH);
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.RADIOTAP, length);
        }
        int flags = radiotapFlags(walk, length);
        walk.push(LayerType.RADIOTAP, length);
        if ((flags & FLAG_CHECK_SEQUENCE) != 0 && walk.wireEnd - walk.at >= 4) {
            walk.wireEnd -= 4;
            walk.end = Math.min(walk.end, walk.wireEnd);
        }
        return frame(walk, false, (flags & FLAG_PADDED) != 0);
    }

    /** The flags are the second optional field; the first has 8 bytes, aligned to 8. */
    private static int radiotapFlags(Walk walk, int length) {
        int present = little16(walk, RadiotapView.PRESENT);
        if ((present & RADIOTAP_FLAGS) == 0) {
            return 0;
        }
        int position = RadiotapView.MIN_LENGTH;
        while ((walk.u8(position - 1) & 0x80) != 0) { // another word of presence bits
            position += 4;
            if (position > length) {
                return 0;
            }
        }
        if ((present & RADIOTAP_TIMESTAMP) != 0) {
            position = (position + 7 & ~7) + 8;
        }
        return position < length ? walk.u8(position) : 0;
    }

    /** Prism: 144 bytes; the message length is in the byte order of the capturing machine. */
    static int prism(Walk walk) {
        if (walk.lacks(AVS_MIN_LENGTH)) {
            return walk.truncated(LayerType.PRISM, PRISM_LENGTH);
        }
        if (walk.u32(0) >>> 4 == 0x8021100) {
            return avs(walk);
        }
        return skip(walk, LayerType.PRISM, PRISM_LENGTH);
    }

    /** AVS: a magic number with the version, then the length. */
    static int avs(Walk walk) {
        if (walk.lacks(AVS_MIN_LENGTH)) {
            return walk.truncated(LayerType.AVS, AVS_MIN_LENGTH);
        }
        long length = walk.u32(AVS_SIZE);
        return length < AVS_MIN_LENGTH || length > 4096
                ? walk.malformed(LayerType.AVS, AVS_MIN_LENGTH)
                : skip(walk, LayerType.AVS, (int) length);
    }

    /** Per-packet information: the length and the link type of the frame are little-endian. */
    static int ppi(Walk walk) {
        if (walk.lacks(PPI_MIN_LENGTH)) {
            return walk.truncated(LayerType.PPI, PPI_MIN_LENGTH);
        }
        int length = little16(walk, PPI_SIZE);
        int linkType = little16(walk, PPI_LINK_TYPE);
        if (length < PPI_MIN_LENGTH) {
            return walk.malformed(LayerType.PPI, PPI_MIN_LENGTH);
        }
        if (walk.lacks(length)) {
            return walk.cutOptions(LayerType.PPI, length);
        }
        walk.push(LayerType.PPI, length);
        return linkType == LinkType.PPI ? walk.unsupported(LayerType.PAYLOAD) : Walk.LINK | linkType;
    }

    private static int skip(Walk walk, LayerType type, int length) {
        if (walk.lacks(length)) {
            return walk.truncated(type, length);
        }
        walk.push(type, length);
        return frame(walk, false);
    }

    /** @param isSwapped whether the two bytes of frame control are swapped, as some access points tunnel them */
    static int frame(Walk walk, boolean isSwapped) {
        return frame(walk, isSwapped, false);
    }

    /** IEEE 802.11-2020, 9.2: data frames with a payload that is not encrypted are walked. */
    private static int frame(Walk walk, boolean isSwapped, boolean isPadded) {
        if (walk.lacks(WlanView.MIN_LENGTH)) {
            return walk.truncated(LayerType.WLAN, WlanView.MIN_LENGTH);
        }
        int control = walk.u8(isSwapped ? WlanView.ORDER : WlanView.SUBTYPE);
        int flags = walk.u8(isSwapped ? WlanView.SUBTYPE : WlanView.ORDER);
        boolean isData = (control >>> 2 & 3) == WlanView.DATA;
        boolean isQualityOfService = isData && (control & 0x80) != 0;
        int length = WlanView.headerLength(control, flags);
        if (walk.lacks(length)) {
            return walk.truncated(LayerType.WLAN, length);
        }
        if (!isData) {
            walk.push(LayerType.WLAN, length);
            return Walk.DONE;
        }
        boolean isAggregate = isQualityOfService && (walk.u8(WlanView.qualityOfServiceAt(flags)) & 0x80) != 0;
        if (isPadded && !walk.lacks(length + 3 & ~3)) {
            length = length + 3 & ~3;
        }
        boolean isNull = (control & 0x40) != 0;
        boolean isProtected = (flags & 0x40) != 0;
        // some access points that swap frame control swap the fragment number as well
        // number
        boolean isLaterFragment = !isSwapped && (little16(walk, WlanView.SEQUENCE_CONTROL) & 15) != 0;
        walk.push(LayerType.WLAN, length);
        if (isNull || isProtected || isLaterFragment) {
            return Walk.DONE;
        }
        return isAggregate ? firstOfAggregate(walk) : LinkLayers.llc(walk);
    }

    /** An A-MSDU: addresses and a length precede each of its frames. The first frame is walked. */
    private static int firstOfAggregate(Walk walk) {
        if (walk.lacks(SUBFRAME_LENGTH)) {
            return walk.truncated(LayerType.LLC, SUBFRAME_LENGTH);
        }
        int length = walk.u16(SUBFRAME_SIZE);
        walk.at += SUBFRAME_LENGTH;
        walk.clip(length);
        return LinkLayers.llc(walk);
    }

    private static int little16(Walk walk, int inLayer) {
        return walk.u8(inLayer) | walk.u8(inLayer + 1) << 8;
    }
}
