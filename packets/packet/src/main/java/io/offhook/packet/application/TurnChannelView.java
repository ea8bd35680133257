package io.offhook.packet.application;

import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
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
 */
public final class TurnChannelView extends HeaderView<TurnChannelView> {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;

    private static final int CHANNEL = 0;
    private static final int DATA_LENGTH = 2;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public TurnChannelView() {}

    /**
     * Puts the view on data: TRUNCATED if fewer bytes are available than it states, UNSUPPORTED if the channel is none.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        if (NetworkOrder.u8(segment, offset + CHANNEL) >>> 4 != 4) {
            return WrapStatus.UNSUPPORTED;
        }
        if (length < LENGTH + NetworkOrder.u16(segment, offset + DATA_LENGTH)) {
            return WrapStatus.TRUNCATED;
        }
        return wrap(segment, offset, length, LENGTH);
    }

    /** 0x4000 to 0x4fff. */
    public int channel() {
        return u16(CHANNEL);
    }

    /** Sets {@link #channel()}; 0 to 65535. */
    public TurnChannelView channel(int channel) {
        return putU16(CHANNEL, "channel", channel);
    }

    /** The length of the data without padding, in bytes. */
    public int dataLength() {
        return u16(DATA_LENGTH);
    }

    /** Sets {@link #dataLength()}; 0 to 65535. */
    public TurnChannelView dataLength(int dataLength) {
        return putU16(DATA_LENGTH, "dataLength", dataLength);
    }

    /** The offset of the data in the segment. */
    public long dataOffset() {
        return offset + LENGTH;
    }

    @Override
    public String toString() {
        return "turn channel " + channel();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
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
