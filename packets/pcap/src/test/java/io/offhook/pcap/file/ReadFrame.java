package io.offhook.pcap.file;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A frame as a test compares it: everything a batch says of it, and its bytes as hexadecimal digits. */
public record ReadFrame(
        long number,
        long timestampNs,
        int capturedLength,
        int wireLength,
        int interfaceIndex,
        int linkType,
        String bytes) {

    static ReadFrame of(FrameBatch batch, int i) {
        byte[] bytes = new byte[batch.capturedLength(i)];
        MemorySegment.copy(batch.segmentOf(i), ValueLayout.JAVA_BYTE, batch.offset(i), bytes, 0, bytes.length);
        return new ReadFrame(
                batch.number(i),
                batch.timestampNs(i),
                batch.capturedLength(i),
                batch.wireLength(i),
                batch.interfaceIndex(i),
                batch.linkType(i),
                HexFormat.of().formatHex(bytes));
    }

    private ReadFrame onOneInterface(long timeNs) {
        return new ReadFrame(number, timeNs, capturedLength, wireLength, 0, linkType, bytes);
    }

    /** Returns the frame on interface 0, for a comparison with a file whose interfaces have other numbers. */
    ReadFrame onOneInterface() {
        return onOneInterface(timestampNs);
    }

    /** Returns the frame as classic pcap holds it: on one interface, and not after 2106. */
    ReadFrame inPcap() {
        return onOneInterface(Math.min(timestampNs, 4_294_967_295_999_999_999L));
    }

    /** Reads all that is left, in batches of the given capacity; checks what every batch promises. */
    static List<ReadFrame> readAll(PacketSource source, int capacity) {
        List<ReadFrame> frames = new ArrayList<>();
        FrameBatch batch = new FrameBatch(capacity);
        while (source.next(batch)) {
            if (batch.count() == 0) {
                throw new AssertionError("an empty batch was handed out");
            }
            for (int i = 0; i < batch.count(); i++) {
                frames.add(of(batch, i));
                if (batch.number(i) != frames.size()) {
                    throw new AssertionError("frame " + frames.size() + " is numbered " + batch.number(i));
                }
            }
        }
        if (batch.count() != 0 || source.next(batch)) {
            throw new AssertionError("frames after the end");
        }
        return frames;
    }
}
