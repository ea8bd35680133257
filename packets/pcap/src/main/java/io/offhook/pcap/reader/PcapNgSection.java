package io.offhook.pcap.reader;

import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces that the current section of a pcapng file describes, with what is needed to read their packets.
 *
 * <p>An interface that is described in exactly the words of the previous section (as in files joined with cat) keeps
 * its number. The table is bounded by {@link InterfaceTable#MOST}; interfaces beyond that are not kept.
 */
public final class PcapNgSection {
    private static final int OPTION_END = 0;
    private static final int OPTION_NAME = 2;
    private static final int OPTION_TIME_RESOLUTION = 9;
    /** The option epb_dropcount of a packet. */
    private static final int OPTION_DROP_COUNT = 4;
    /** The options isb_endtime, isb_ifdrop and isb_osdrop of interface statistics. */
    private static final int OPTION_END_TIME = 3;

    private static final int OPTION_INTERFACE_DROPS = 5;

    private static final int OPTION_SYSTEM_DROPS = 7;
    /** Anything larger is not a count of packets; the largest unsigned value means "unknown". */
    private static final long LARGEST_COUNT = 1L << 48;

    /** The option if_fcslen: bits according to the draft, whose example is 4; Wireshark takes it as bytes. */
    public static final int OPTION_FRAME_CHECK = 13;

    /** From this value on, it can only be bits. */
    private static final int LEAST_FRAME_CHECK_BITS = 16;

    private static final int OPTION_TIME_OFFSET = 14;
    private static final int DEFAULT_RESOLUTION = 6;
    /** The most bytes of a name, longer ones are truncated: names are displayed, and up to 65,535 of them are kept. */
    private static final int LONGEST_NAME = 256;

    private static final int NONE = -1;

    private final String file;
    private final InterfaceTable interfaces;
    private final FaultList faults;

    private ValueLayout.OfShort u16 = ValueLayout.JAVA_SHORT_UNALIGNED;
    private ValueLayout.OfInt u32 = ValueLayout.JAVA_INT_UNALIGNED;
    private ValueLayout.OfLong u64 = ValueLayout.JAVA_LONG_UNALIGNED;

    private int[] interfaceIndex = new int[4];
    private int[] linkType = new int[4];
    private long[] snapLength = new long[4];
    private int[] packetLimit = new int[4];
    private TimestampScale[] scale = new TimestampScale[4];
    /** The number of interfaces described so far in this section, including those beyond the limit. */
    private long described;
    /** The number of entries of {@link #interfaceIndex} that hold what the previous section described. */
    private int knownBefore;

    private long clampedBefore;
    private boolean toldLimit;
    private boolean toldMissing;

    private int resolution;
    private long offsetSeconds;
    private @Nullable String name;
    private int frameCheckBytes;

    PcapNgSection(String file, InterfaceTable interfaces, FaultList faults) {
        this.file = file;
        this.interfaces = interfaces;
        this.faults = faults;
    }

    /** Forgets the interfaces of the previous section. */
    void start(boolean swapped) {
        clampedBefore = timestampsClamped();
        knownBefore = kept();
        described = 0;
        ByteOrder order = swapped ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        u16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
        u32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
        u64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
    }

    /** @return false if its options overrun the block, which was added to the fault list */
    boolean addInterface(ByteWindow window, int linkType, long snapLength, long options, long end) {
        resolution = DEFAULT_RESOLUTION;
        offsetSeconds = 0;
        name = null;
        frameCheckBytes = CaptureInterface.FRAME_CHECK_NOT_TOLD;
        if (!readOptions(window, options, end, true)) {
            return false;
        }
        TimestampScale scale = new TimestampScale(resolution, offsetSeconds);
        int slot = (int) Math.min(described, InterfaceTable.MOST);
        int number = NONE;
        if (slot < InterfaceTable.MOST) {
            number = numberOf(
                    slot,
                    new CaptureInterface(
                            file, linkType, snapLength, scale.unitsPerSecond(), offsetSeconds, name, frameCheckBytes));
        }
        described++;
        if (number == NONE && !toldLimit) {
            toldLimit = true;
            String message = "more than " + InterfaceTable.MOST + " interfaces in all files";
            faults.add(new CaptureFault(Kind.DAMAGED, file, window.fileOffset(window.position), message));
        }
        if (slot == InterfaceTable.MOST) {
            return true;
        }
        if (slot == interfaceIndex.length) {
            grow();
        }
        this.interfaceIndex[slot] = number;
        this.linkType[slot] = linkType;
        this.snapLength[slot] = snapLength;
        this.packetLimit[slot] = RecordReader.packetLimit(snapLength);
        this.scale[slot] = scale;
        return true;
    }

    private int numberOf(int slot, CaptureInterface described) {
        if (slot < knownBefore && interfaceIndex[slot] != NONE) {
            int before = interfaceIndex[slot];
            if (interfaces.get(before).equals(described)) {
                return before;
            }
        }
        return interfaces.add(described);
    }

    private void grow() {
        int size = Math.min(interfaceIndex.length * 2, InterfaceTable.MOST);
        interfaceIndex = Arrays.copyOf(interfaceIndex, size);
        linkType = Arrays.copyOf(linkType, size);
        snapLength = Arrays.copyOf(snapLength, size);
        packetLimit = Arrays.copyOf(packetLimit, size);
        scale = Arrays.copyOf(scale, size);
    }

    /**
     * @return whether the options of a section header stay within the block; if not, that was added to the fault list
     */
    boolean checkOptions(ByteWindow window, long options, long end) {
        return readOptions(window, options, end, false);
    }

    private boolean readOptions(ByteWindow window, long options, long end, boolean ofInterface) {
        MemorySegment segment = window.segment;
        long at = options;
        while (end - at >= 4) {
            int code = segment.get(u16, at) & 0xffff;
            int length = segment.get(u16, at + 2) & 0xffff;
            if (code == OPTION_END) {
                return true;
            }
            long room = end - at - 4;
            if (length > room) {
                String message = "an option of at most " + room + " bytes was expected, " + length + " found";
                faults.add(new CaptureFault(Kind.DAMAGED, file, window.fileOffset(at + 2), message));
                return false;
            }
            if (ofInterface) {
                readInterfaceOption(segment, code, at + 4, length);
            }
            at += 4 + (length + 3 & ~3);
        }
        return true;
    }

    private void readInterfaceOption(MemorySegment segment, int code, long at, int length) {
        if (code == OPTION_TIME_RESOLUTION && length == 1) {
            resolution = segment.get(ValueLayout.JAVA_BYTE, at) & 0xff;
        } else if (code == OPTION_TIME_OFFSET && length == 8) {
            offsetSeconds = segment.get(u64, at);
        } else if (code == OPTION_FRAME_CHECK && length == 1) {
            int reported = segment.get(ValueLayout.JAVA_BYTE, at) & 0xff;
            frameCheckBytes = reported < LEAST_FRAME_CHECK_BITS ? reported : reported / 8;
        } else if (code == OPTION_NAME) {
            byte[] bytes = new byte[Math.min(length, LONGEST_NAME)];
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
            name = new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** @return the packets lost before a packet, from its options; 0 if they do not declare it */
    long dropCount(MemorySegment segment, long options, long end) {
        return Math.max(0, counter(segment, options, end, OPTION_DROP_COUNT));
    }

    /** @return the total losses of an interface, from the options of its statistics; negative if not declared */
    long droppedInTotal(MemorySegment segment, long options, long end) {
        long byInterface = counter(segment, options, end, OPTION_INTERFACE_DROPS);
        long bySystem = counter(segment, options, end, OPTION_SYSTEM_DROPS);
        return byInterface < 0 ? bySystem : byInterface + Math.max(0, bySystem);
    }

    /**
     * @return the end of the capture in nanoseconds since the epoch, from the options of interface statistics; {@link
     *     io.offhook.pcap.PacketSource#END_NOT_TOLD} if not declared
     */
    long endNs(int index, MemorySegment segment, long options, long end) {
        long at = option(segment, options, end, OPTION_END_TIME);
        if (at < 0) {
            return PacketSource.END_NOT_TOLD;
        }
        // like the times of packets: upper half first in either byte order
        long units = (segment.get(u32, at) & 0xffff_ffffL) << 32 | segment.get(u32, at + 4) & 0xffff_ffffL;
        long ns = scale[index].fittingNs(units);
        return ns < 0 ? PacketSource.END_NOT_TOLD : ns;
    }

    /** @return the value of a 64-bit option; -1 if there is none, or an impossible one */
    private long counter(MemorySegment segment, long options, long end, int wanted) {
        long at = option(segment, options, end, wanted);
        if (at < 0) {
            return -1;
        }
        long value = segment.get(u64, at);
        return value < 0 || value > LARGEST_COUNT ? -1 : value;
    }

    /** @return the offset of the eight bytes of an option; -1 if there is none, or one of another length */
    private long option(MemorySegment segment, long options, long end, int wanted) {
        long at = options;
        while (end - at >= 4) {
            int code = segment.get(u16, at) & 0xffff;
            int length = segment.get(u16, at + 2) & 0xffff;
            if (code == OPTION_END || length > end - at - 4) {
                return -1;
            }
            if (code == wanted && length == 8) {
                return at + 4;
            }
            at += 4 + (length + 3 & ~3);
        }
        return -1;
    }

    private int kept() {
        return (int) Math.min(described, InterfaceTable.MOST);
    }

    /** @return the index of the interface for the accessors below; -1 if it is not described or not kept */
    int index(int interfaceId) {
        boolean known = interfaceId >= 0 && interfaceId < kept() && interfaceIndex[interfaceId] != NONE;
        return known ? interfaceId : NONE;
    }

    int interfaceIndex(int index) {
        return interfaceIndex[index];
    }

    int linkType(int index) {
        return linkType[index];
    }

    /** Returns the snap length in bytes; 0 for no limit. */
    long snapLength(int index) {
        return snapLength[index];
    }

    int packetLimit(int index) {
        return packetLimit[index];
    }

    long toNs(int index, long units) {
        return scale[index].toNs(units);
    }

    /** Reports, the first time only, that a packet refers to an interface that is not kept. */
    void reportMissing(long fileOffset, long interfaceId) {
        if (!toldMissing && interfaceId >= described) {
            toldMissing = true;
            String message = "a packet of one of the section's " + described
                    + " interfaces was expected, one of interface " + interfaceId + " found";
            faults.add(new CaptureFault(Kind.DAMAGED, file, fileOffset, message));
        }
    }

    /** Returns the number in all sections so far. */
    long timestampsClamped() {
        long sum = clampedBefore;
        for (int i = 0; i < kept(); i++) {
            sum += scale[i].clamped();
        }
        return sum;
    }
}
