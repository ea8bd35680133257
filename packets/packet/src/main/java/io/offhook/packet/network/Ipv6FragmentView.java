package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.Protocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A fragment header of IPv6 (RFC 8200, 4.5).
 *
 * <pre>
 *  0        8        16             29  32
 * +--------+--------+--------------+--+-+
 * | next   |reserved|    offset    |  |M|
 * +--------+--------+--------------+--+-+
 * |           identification            |
 * +-------------------------------------+
 * </pre>
 */
public final class Ipv6FragmentView extends CarrierView<Ipv6FragmentView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;

    /** The offset of the number of what follows, in bytes. */
    public static final int NEXT_HEADER = 0;
    /** The offset of fragment offset (13 bits) and flags, in bytes. */
    public static final int OFFSET_FLAGS = 2;
    /** The offset of the identification, in bytes. */
    public static final int IDENTIFICATION = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Ipv6FragmentView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.IPV6_FRAGMENT;
    }

    /** Wraps a header; TRUNCATED below 8 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The IP protocol number of what was cut up. */
    public int nextHeader() {
        return u8(NEXT_HEADER);
    }

    /** Sets {@link #nextHeader()}; 0 to 255. */
    public Ipv6FragmentView nextHeader(int nextHeader) {
        return putU8(NEXT_HEADER, "nextHeader", nextHeader);
    }

    /** The field as it is: units of eight bytes. */
    public int fragmentOffset() {
        return u16(OFFSET_FLAGS) >>> 3;
    }

    /** Sets {@link #fragmentOffset()}; 0 to 8191. */
    public Ipv6FragmentView fragmentOffset(int fragmentOffset) {
        return putBits(OFFSET_FLAGS, 0, 13, "fragmentOffset", fragmentOffset);
    }

    /** Where the payload starts in that of the whole packet. */
    public int fragmentOffsetBytes() {
        return fragmentOffset() << 3;
    }

    /** Whether more fragments follow. */
    public boolean moreFragments() {
        return (u16(OFFSET_FLAGS) & 1) != 0;
    }

    /** Sets {@link #moreFragments()}. */
    public Ipv6FragmentView moreFragments(boolean isSet) {
        return putFlag(OFFSET_FLAGS, 15, isSet);
    }

    /** Whether it is the only fragment of its packet (RFC 6946). */
    public boolean isAtomic() {
        return (u16(OFFSET_FLAGS) & 0xfff9) == 0;
    }

    /** The identification that the fragments of one packet share, for its addresses. */
    public long identification() {
        return u32(IDENTIFICATION);
    }

    /** Sets {@link #identification()}; 0 to 4294967295. */
    public Ipv6FragmentView identification(long identification) {
        return putU32(IDENTIFICATION, "identification", identification);
    }

    @Override
    public String toString() {
        return "fragment " + identification() + " offset " + fragmentOffsetBytes() + (moreFragments() ? " more" : "");
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends Protocol {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "ipv6.fragment",
                    HeaderLayout.of(LENGTH)
                            .number("nextHeader", NEXT_HEADER, 8)
                            .bits("fragmentOffset", OFFSET_FLAGS, 0, 13)
                            .flag("moreFragments", OFFSET_FLAGS + 1, 7)
                            .number("identification", IDENTIFICATION, 32));
        }
    }
}
