package io.offhook.packet.write;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.buffer.CompositeBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Appends payload to the packet. */
final class WrittenPayload {
    private static final long MAX_U32 = 0xffff_ffffL;

    private final WrittenPacket packet;

    WrittenPayload(WrittenPacket packet) {
        this.packet = packet;
    }

    void bytes(byte[] bytes) {
        long at = packet.room("payload", bytes.length);
        MemorySegment.copy(bytes, 0, packet.segment, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    void bytes(MemorySegment from, long offset, int length) {
        MemorySegment.copy(from, offset, packet.segment, packet.room("payload", length), length);
    }

    void bytes(CompositeBuffer from, long position, int length) {
        from.copyTo(position, packet.segment, packet.room("payload", length), length);
    }

    void text(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                u8(c);
            } else if (c < 0x800) {
                u16(0xc080 | c << 2 & 0x1f00 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                u8(0xe0 | c >>> 12);
                u16(0x8080 | c << 2 & 0x3f00 | c & 0x3f);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                u16(0xf080 | point >>> 10 & 0x700 | point >>> 12 & 0x3f);
                u16(0x8080 | point << 2 & 0x3f00 | point & 0x3f);
            } else {
                u8('?');
            }
        }
    }

    void zeros(int length) {
        FieldRange.check("length", length, Integer.MAX_VALUE);
        long at = packet.room("payload", length);
        for (int i = 0; i < length; i++) {
            NetworkOrder.putU8(packet.segment, at + i, 0);
        }
    }

    void u8(int value) {
        FieldRange.check("value", value, 0xff);
        NetworkOrder.putU8(packet.segment, packet.room("payload", 1), value);
    }

    void u16(int value) {
        FieldRange.check("value", value, 0xffff);
        NetworkOrder.putU16(packet.segment, packet.room("payload", 2), value);
    }

    void u32(long value) {
        FieldRange.check("value", value, MAX_U32);
        NetworkOrder.putU32(packet.segment, packet.room("payload", 4), value);
    }

    void bits64(long value) {
        NetworkOrder.putBits64(packet.segment, packet.room("payload", 8), value);
    }
}
