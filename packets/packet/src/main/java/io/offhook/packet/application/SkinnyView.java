package io.offhook.packet.application;

import io.offhook.packet.CarrierView;
import io.offhook.packet.Claims;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LittleEndian;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * The header of a Skinny (SCCP) message, of Cisco's telephones. Its numbers are little-endian.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------------------------------------------------------+
 * |                         message length                        |
 * +---------------------------------------------------------------+
 * |                         header version                        |
 * +---------------------------------------------------------------+
 * |                           message id                          |
 * +---------------------------------------------------------------+
 * </pre>
 */
public final class SkinnyView extends CarrierView<SkinnyView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 12;

    private static final int MAX_LENGTH = 4096;
    private static final int MESSAGE_LENGTH = 0;
    private static final int HEADER_VERSION = 4;
    private static final int MESSAGE_ID = 8;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public SkinnyView() {}

    /**
     * Wraps a header: TRUNCATED below 12 bytes, UNSUPPORTED if its version is none that telephones send, MALFORMED
     * when its length is none.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        long version = LittleEndian.u32(segment, offset + HEADER_VERSION);
        if (version != 0 && (version < 10 || version > 31)) {
            return WrapStatus.UNSUPPORTED;
        }
        long messageLength = LittleEndian.u32(segment, offset + MESSAGE_LENGTH);
        if (messageLength < 4 || messageLength > MAX_LENGTH) {
            return WrapStatus.MALFORMED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** From the message id on, in bytes. */
    public long messageLength() {
        return LittleEndian.u32(segment, offset + MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}. */
    public SkinnyView messageLength(long messageLength) {
        return putLittle(MESSAGE_LENGTH, 32, "messageLength", messageLength);
    }

    /** 0 at first; 17 to 22 of newer telephones. */
    public long headerVersion() {
        return LittleEndian.u32(segment, offset + HEADER_VERSION);
    }

    /** Sets {@link #headerVersion()}. */
    public SkinnyView headerVersion(long headerVersion) {
        return putLittle(HEADER_VERSION, 32, "headerVersion", headerVersion);
    }

    /** 0 keep alive, 1 register, 0x82 start tone, 0x8a start media transmission, 0x105 open receive channel... */
    public long messageId() {
        return LittleEndian.u32(segment, offset + MESSAGE_ID);
    }

    /** Sets {@link #messageId()}. */
    public SkinnyView messageId(long messageId) {
        return putLittle(MESSAGE_ID, 32, "messageId", messageId);
    }

    @Override
    public String toString() {
        return "skinny 0x" + Long.toHexString(messageId());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<SkinnyView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "skinny",
                    new SkinnyView(),
                    HeaderLayout.of(LENGTH)
                            .little("messageLength", MESSAGE_LENGTH, 32)
                            .little("headerVersion", HEADER_VERSION, 32)
                            .little("messageId", MESSAGE_ID, 32),
                    Claims.NONE.tcp(2000));
        }
    }
}
