package io.offhook.packet.application;

import io.offhook.packet.FieldBits;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * Data of a TURN channel (RFC 8656, 12.4).
 *
 * <pre>
 *  0               8               16              24              32
 * +-------------------------------+-------------------------------+
 * |            channel            |          data length          |
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>A borrowed window, reused and single-threaded; it is valid as long as the bytes it was put on. Setters change the
 * bytes in place; on a read-only segment they fail as the segment does. After one of a type, a flag or a length, wrap again.
 */
public final class TurnChannelView {
    /** Bytes of the header. */
    public static final int LENGTH = 4;

    private static final int CHANNEL = 0;
    private static final int DATA_LENGTH = 2;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** A view on nothing yet: {@link #wrap} first. */
    public TurnChannelView() {}

    /**
     * Puts the view on data: TRUNCATED when there are fewer bytes than it says, UNSUPPORTED when the channel is none.
     *
     * @param length bytes that are there from {@code offset} on
     */
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset) >>> 4 != 4) {
            return WrapStatus.UNSUPPORTED;
        }
        if (length < LENGTH + NetworkOrder.u16(segment, offset + DATA_LENGTH)) {
            return WrapStatus.TRUNCATED;
        }
        this.segment = segment;
        this.offset = offset;
        return WrapStatus.OK;
    }

    /** 0x4000 to 0x4fff. */
    public int channel() {
        return NetworkOrder.u16(segment, offset + CHANNEL);
    }

    /** Sets {@link #channel()}; 0 to 65535. */
    public TurnChannelView channel(int channel) {
        FieldBits.put(segment, offset, 8 * CHANNEL, 16, "channel", channel);
        return this;
    }

    /** In bytes; what pads it over TCP does not count. */
    public int dataLength() {
        return NetworkOrder.u16(segment, offset + DATA_LENGTH);
    }

    /** Sets {@link #dataLength()}; 0 to 65535. */
    public TurnChannelView dataLength(int dataLength) {
        FieldBits.put(segment, offset, 8 * DATA_LENGTH, 16, "dataLength", dataLength);
        return this;
    }

    /** Where the data starts, in the segment. */
    public long dataOffset() {
        return offset + LENGTH;
    }

    @Override
    public String toString() {
        return "turn channel " + channel();
    }

    /** What is reported of it; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Ready for any header. */
        public Descriptor() {
            super("turn", HeaderLayout.of(LENGTH).number("channel", CHANNEL, 16).number("dataLength", DATA_LENGTH, 16));
        }

        /** By a channel's number and a length that is there, with at most three bytes of padding. */
        @Override
        public boolean isLikely(Layer payload) {
            if (payload.length() < LENGTH || payload.u8(CHANNEL) >>> 4 != 4) {
                return false;
            }
            int behind = payload.length() - LENGTH;
            int bytes = payload.u16(DATA_LENGTH);
            return bytes <= behind && bytes + 7 >= behind;
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            to.text("channel ").hex(layer.u16(CHANNEL), 4);
            to.text(", ").number(layer.u16(DATA_LENGTH)).text(" bytes");
            return true;
        }
    }
}
