package io.offhook.packet.tunnel;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The header of CAPWAP (RFC 5415, 4.3): between an access point and its controller. Only what is not encrypted has one.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------+---------+---------+-+-+-+-+-+-+-----+
 * |    preamble   |header w.| radio id| binding |N|F|L|W|R|K|     |
 * +---------------+---------+---------+---------+-+-+-+-+-+-+-----+
 * |          fragment id          |     fragment offset     |     |
 * +-------------------------------+-------------------------+-----+
 * | radio MAC address, wireless information ...
 * </pre>
 */
public final class CapwapView extends CarrierView<CapwapView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;

    /** The offset of the preamble, in bytes. */
    public static final int PREAMBLE = 0;
    /** The offset of the length in words (5 bits), in bytes. */
    public static final int HEADER_WORDS = 1;
    /** The offset of the binding (5 bits from bit 2 on), in bytes. */
    public static final int BINDING = 2;

    private static final int FRAGMENT = 3;
    private static final int FRAGMENT_ID = 4;
    private static final int FRAGMENT_OFFSET = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public CapwapView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.CAPWAP;
    }

    /**
     * Wraps a header: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if its preamble is not 0,
     * MALFORMED if its length is below 8 bytes.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + PREAMBLE) != 0) {
            return WrapStatus.UNSUPPORTED;
        }
        int header = NetworkOrder.u8(segment, offset + HEADER_WORDS) >>> 3 << 2;
        if (header < MIN_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, header);
    }

    /** Version and type: 0, no DTLS follows. */
    public int preamble() {
        return u8(PREAMBLE);
    }

    /** Sets {@link #preamble()}; 0 to 255. */
    public CapwapView preamble(int preamble) {
        return putU8(PREAMBLE, "preamble", preamble);
    }

    /** The length of the header, in units of 4 bytes. */
    public int headerWords() {
        return u8(HEADER_WORDS) >>> 3;
    }

    /** Sets {@link #headerWords()}; 0 to 31. */
    public CapwapView headerWords(int headerWords) {
        return putBits(HEADER_WORDS, 0, 5, "headerWords", headerWords);
    }

    /** The radio of the access point. */
    public int radioId() {
        return u16(HEADER_WORDS) >>> 6 & 0x1f;
    }

    /** Sets {@link #radioId()}; 0 to 31. */
    public CapwapView radioId(int radioId) {
        return putBits(HEADER_WORDS, 5, 5, "radioId", radioId);
    }

    /** 1 for IEEE 802.11. */
    public int binding() {
        return u8(BINDING) >>> 1 & 0x1f;
    }

    /** Sets {@link #binding()}; 0 to 31. */
    public CapwapView binding(int binding) {
        return putBits(BINDING, 2, 5, "binding", binding);
    }

    /** Whether what follows is a frame of the binding, and not Ethernet. */
    public boolean isNativeFrame() {
        return (u8(BINDING) & 0x1) != 0;
    }

    /** Sets {@link #isNativeFrame()}. */
    public CapwapView nativeFrame(boolean nativeFrame) {
        return putFlag(BINDING, 7, nativeFrame);
    }

    /** Whether it is a part of a larger packet. */
    public boolean isFragment() {
        return (u8(FRAGMENT) & 0x80) != 0;
    }

    /** Sets {@link #isFragment()}. */
    public CapwapView fragment(boolean fragment) {
        return putFlag(FRAGMENT, 0, fragment);
    }

    /** Whether no fragment with later bytes follows. */
    public boolean isLastFragment() {
        return (u8(FRAGMENT) & 0x40) != 0;
    }

    /** Sets {@link #isLastFragment()}. */
    public CapwapView lastFragment(boolean lastFragment) {
        return putFlag(FRAGMENT, 1, lastFragment);
    }

    /** Whether what the radio knows of the frame is in the header. */
    public boolean hasWirelessInformation() {
        return (u8(FRAGMENT) & 0x20) != 0;
    }

    /** Sets {@link #hasWirelessInformation()}. */
    public CapwapView wirelessInformation(boolean wirelessInformation) {
        return putFlag(FRAGMENT, 2, wirelessInformation);
    }

    /** Whether the MAC address of the radio is in the header. */
    public boolean hasRadioMac() {
        return (u8(FRAGMENT) & 0x10) != 0;
    }

    /** Sets {@link #hasRadioMac()}. */
    public CapwapView radioMac(boolean radioMac) {
        return putFlag(FRAGMENT, 3, radioMac);
    }

    /** Whether it carries nothing and keeps the way open. */
    public boolean isKeepAlive() {
        return (u8(FRAGMENT) & 0x8) != 0;
    }

    /** Sets {@link #isKeepAlive()}. */
    public CapwapView keepAlive(boolean keepAlive) {
        return putFlag(FRAGMENT, 4, keepAlive);
    }

    /** The identifier that the fragments of one packet share. */
    public int fragmentId() {
        return u16(FRAGMENT_ID);
    }

    /** Sets {@link #fragmentId()}; 0 to 65535. */
    public CapwapView fragmentId(int fragmentId) {
        return putU16(FRAGMENT_ID, "fragmentId", fragmentId);
    }

    /** The fragment offset, in units of 8 bytes. */
    public int fragmentOffset() {
        return u16(FRAGMENT_OFFSET) >>> 3;
    }

    /** Sets {@link #fragmentOffset()}; 0 to 8191. */
    public CapwapView fragmentOffset(int fragmentOffset) {
        return putBits(FRAGMENT_OFFSET, 0, 13, "fragmentOffset", fragmentOffset);
    }

    @Override
    public String toString() {
        return "capwap radio " + radioId();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "capwap",
                    HeaderLayout.of(MIN_LENGTH)
                            .number("preamble", PREAMBLE, 8)
                            .bits("headerWords", HEADER_WORDS, 0, 5)
                            .bits("radioId", HEADER_WORDS, 5, 5)
                            .bits("binding", BINDING, 2, 5)
                            .flag("nativeFrame", BINDING, 7)
                            .flag("fragment", FRAGMENT, 0)
                            .flag("lastFragment", FRAGMENT, 1)
                            .flag("wirelessInformation", FRAGMENT, 2)
                            .flag("radioMac", FRAGMENT, 3)
                            .flag("keepAlive", FRAGMENT, 4)
                            .number("fragmentId", FRAGMENT_ID, 16)
                            .bits("fragmentOffset", FRAGMENT_OFFSET, 0, 13));
        }
    }
}
