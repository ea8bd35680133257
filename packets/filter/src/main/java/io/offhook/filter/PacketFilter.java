package io.offhook.filter;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;

/**
 * Decides which packets match: a {@link BpfProgram} ready to run.
 *
 * <p>The same bytes and lengths always yield the same result. A filter never throws because of a packet's content, and
 * allocates nothing. A filter may be used by one thread at a time, unless its factory promises more.
 */
@FunctionalInterface
public interface PacketFilter {
    /**
     * Runs the program on a packet.
     *
     * @param segment native memory that holds the packet; it is only read
     * @param offset the first byte of the packet in the segment
     * @param capturedLength captured bytes, 0 or more; a load beyond them ends the program with 0
     * @param wireLength bytes of the packet on the wire: {@code len} in an expression
     * @return the result of the program: 0 if the packet does not match, otherwise the number of bytes to keep (32
     *     bits, unsigned: compare with 0, or widen by {@link Integer#toUnsignedLong})
     */
    int match(MemorySegment segment, long offset, int capturedLength, int wireLength);

    /** Whether frame {@code i} of a batch matches. */
    default boolean matches(FrameBatch batch, int i) {
        return match(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i)) != 0;
    }

    /**
     * Compiles an expression of pcap-filter(7) for frames of a link type. For {@link LinkType#NULL} the filter handles
     * both byte orders, chosen by frame.
     *
     * @param linkType the link type, as capture files number it ({@link LinkType})
     * @throws FilterException as {@link FilterCompiler#compile(String, int, int)}
     */
    static PacketFilter of(String expression, int linkType) {
        int snapLength = FilterCompiler.DEFAULT_SNAP_LENGTH;
        PacketFilter filter = of(FilterCompiler.compile(expression, linkType, snapLength));
        return linkType == LinkType.NULL
                ? new LoopbackFilter(filter, of(FilterCompiler.compile(expression, linkType, snapLength, true)))
                : filter;
    }

    /**
     * Returns the fastest implementation of a program: compiled to JVM bytecode, or interpreted if the program is too
     * long for that. A compiled filter may be used by several threads at once.
     */
    static PacketFilter of(BpfProgram program) {
        PacketFilter compiled = BpfCompiler.compile(program);
        return compiled == null ? new BpfInterpreter(program) : compiled;
    }
}
