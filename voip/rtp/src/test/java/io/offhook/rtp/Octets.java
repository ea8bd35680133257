package io.offhook.rtp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/** Native segments with given octets, exactly as long as these. */
final class Octets {
    private Octets() {}

    /** @param hex pairs of digits; blanks and line ends are for the reader */
    static MemorySegment of(String hex) {
        return of(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
    }

    static MemorySegment of(byte[] octets) {
        MemorySegment segment =
                Arena.ofAuto().allocate(Math.max(1, octets.length)).asSlice(0, octets.length);
        MemorySegment.copy(octets, 0, segment, ValueLayout.JAVA_BYTE, 0, octets.length);
        return segment;
    }

    static int length(MemorySegment segment) {
        return (int) segment.byteSize();
    }
}
