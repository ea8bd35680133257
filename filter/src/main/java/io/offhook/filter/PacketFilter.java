package io.offhook.filter;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import java.lang.foreign.MemorySegment;

/**
 * Says which packets are wanted: a {@link BpfProgram} ready to run.
 *
 * <p>The same bytes and lengths give the same answer, always; a filter never throws for what a packet holds, and
 * allocates nothing. One thread at a time uses a filter, unless it says more.
 */
@FunctionalInterface
public interface PacketFilter {
    /**
     * Runs the program over a packet.
     *
     * @param segment native memory that holds it, from {@code offset} on; read only
     * @param capturedLength bytes that lie there, 0 or more; what a program reads beyond them ends it with 0
     * @param wireLength bytes the packet had on the wire: what {@code len} is in an expression
     * @return what the program returns: 0 the packet is not wanted; else it is, and that many bytes of it (32 bits,
     *     unsigned: compare with 0, or widen by {@link Integer#toUnsignedLong})
     */
    int match(MemorySegment segment, long offset, int capturedLength, int wireLength);

    /** Whether frame {@code i} of a batch is wanted. */
    default boolean matches(FrameBatch batch, int i) {
        return match(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i), batch.wireLength(i)) != 0;
    }

    /**
     * Compiles an expression of pcap-filter(7) for frames of a link type. Of {@link LinkType#NULL} both byte orders are
     * understood, as each frame has it.
     *
     * @param linkType as capture files number it ({@link LinkType})
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
     * The fastest way to run a program: compiled to JVM bytecode, or interpreted where it is too large for that. The
     * compiled ones may be used by several threads at once.
     */
    static PacketFilter of(BpfProgram program) {
        PacketFilter compiled = BpfCompiler.compile(program);
        return compiled == null ? new BpfInterpreter(program) : compiled;
    }
}
