package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.RecordReader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the blocks of a pcapng file in the given order and with the given content. Each block is well-formed; that
 * they are consistent (an interface before its packets) is up to the caller. {@link PcapNgWriter} is simpler for
 * packets only.
 *
 * <p>Starts with a {@link #section}. Single-threaded. A failed write throws {@link java.io.UncheckedIOException}. The
 * file is whole once the writer is closed.
 */
public final class PcapNgBlockWriter implements AutoCloseable {
    private static final int SECTION_HEADER = 24;
    private static final int INTERFACE_HEADER = 16;
    private static final int PACKET_HEADER = 28;
    private static final int STATISTICS_HEADER = 20;
    private static final int SECRETS_HEADER = 16;
    private static final int CUSTOM_HEADER = 12;
    private static final long NOT_KNOWN = -1;
    private static final PcapNgOptions NONE = new PcapNgOptions();

    private final CaptureOutput output;
    private final ByteOrder order;

    private int interfaces;

    PcapNgBlockWriter(CaptureOutput output) {
        this.output = output;
        order = output.order();
    }

    /** Creates a little-endian file, or truncates an existing one; compressed if its name ends in .gz or .zst. */
    public static PcapNgBlockWriter create(Path file) {
        CaptureCompression compression = CaptureCompression.ofName(file.toString());
        return to(CaptureOutput.channel(file, compression), ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes to a channel, which is closed with the writer. */
    public static PcapNgBlockWriter to(WritableByteChannel channel, ByteOrder order) {
        return new PcapNgBlockWriter(new CaptureOutput(channel, order));
    }

    /** Starts a section, of unspecified length; its interfaces are numbered from 0. */
    public void section(PcapNgOptions options) {
        begin(PcapNgBlock.SECTION_HEADER, SECTION_HEADER, options);
        output.putU32(PcapNgBlock.BYTE_ORDER_MAGIC);
        output.putU16(1);
        output.putU16(0);
        output.putBits64(NOT_KNOWN);
        end(SECTION_HEADER, options);
        interfaces = 0;
    }

    /**
     * Describes an interface. Its timestamps count microseconds, unless option 9 (if_tsresol) says otherwise.
     *
     * @param linkType a {@link io.offhook.packet.LinkType} value
     * @param snapLength most bytes captured of a packet; 0 for no limit
     * @return its number in the section, from 0
     */
    public int interfaceDescription(int linkType, long snapLength, PcapNgOptions options) {
        PcapWriter.checkedLinkType(linkType);
        checkU32("snapLength", snapLength);
        begin(PcapNgBlock.INTERFACE_DESCRIPTION, INTERFACE_HEADER, options);
        output.putU16(linkType);
        output.putU16(0);
        output.putU32(snapLength);
        end(INTERFACE_HEADER, options);
        return interfaces++;
    }

    /**
     * Writes a packet, as an enhanced packet block.
     *
     * @param interfaceId the number of the interface in the section, from 0
     * @param timestampUnits 64 bits, in the units of the interface
     * @param options the options, or null for none
     */
    public void packet(
            int interfaceId,
            long timestampUnits,
            MemorySegment segment,
            long offset,
            int capturedLength,
            long wireLength,
            @Nullable PcapNgOptions options) {
        PcapNgOptions all = options == null ? NONE : options;
        int fixed = PACKET_HEADER + padded(capturedLength);
        begin(PcapNgBlock.ENHANCED_PACKET, fixed, all);
        packetHeader(interfaceId, timestampUnits, capturedLength, wireLength);
        output.put(segment, offset, capturedLength);
        output.pad(capturedLength);
        end(fixed, all);
    }

    /** Writes an enhanced packet block up to its options. */
    private void packetHeader(int interfaceId, long timestampUnits, int capturedLength, long wireLength) {
        output.putU32(interfaceId);
        output.putU32(timestampUnits >>> 32);
        output.putU32(timestampUnits);
        output.putU32(capturedLength);
        output.putU32(wireLength);
    }

    /**
     * Writes names of addresses.
     *
     * @param records the records of IPv4 (1) and IPv6 (2) addresses: each the address, then its names, each followed by
     *     a zero byte
     */
    public void names(PcapNgOptions records, PcapNgOptions options) {
        checkOrder(records);
        int length = Math.max(records.length(), 4);
        int fixed = PcapNgBlock.HEADER + length;
        begin(PcapNgBlock.NAME_RESOLUTION, fixed, options);
        records.writeTo(output);
        if (records.isEmpty()) {
            output.putU32(0);
        }
        end(fixed, options);
    }

    /** Writes statistics of an interface: option 2 is the start of the capture, 3 its end, 5 and 7 are the drops. */
    public void statistics(int interfaceId, long timestampUnits, PcapNgOptions options) {
        begin(PcapNgBlock.INTERFACE_STATISTICS, STATISTICS_HEADER, options);
        output.putU32(interfaceId);
        output.putU32(timestampUnits >>> 32);
        output.putU32(timestampUnits);
        end(STATISTICS_HEADER, options);
    }

    /**
     * Writes secrets that decrypt the packets after it.
     *
     * @param secretsType 0x544c534b for a TLS key log
     */
    public void secrets(int secretsType, byte[] secrets, PcapNgOptions options) {
        int fixed = SECRETS_HEADER + padded(secrets.length);
        begin(PcapNgBlock.DECRYPTION_SECRETS, fixed, options);
        output.putU32(secretsType);
        output.putU32(secrets.length);
        output.put(secrets);
        output.pad(secrets.length);
        end(fixed, options);
    }

    /**
     * Writes a custom block.
     *
     * @param isCopied whether programs that edit the file may copy it
     * @param enterpriseNumber its vendor, by the numbers of IANA
     * @param data its data and options, padded to a multiple of four
     */
    public void custom(boolean isCopied, long enterpriseNumber, byte[] data) {
        checkU32("enterpriseNumber", enterpriseNumber);
        int fixed = CUSTOM_HEADER + padded(data.length);
        begin(isCopied ? PcapNgBlock.CUSTOM : PcapNgBlock.CUSTOM_NOT_COPIED, fixed, NONE);
        output.putU32(enterpriseNumber);
        output.put(data);
        output.pad(data.length);
        output.putU32(fixed + PcapNgBlock.TRAILER);
    }

    /** Writes a block unchanged; its section must be of the same byte order. */
    public void block(PcapNgBlockView block) {
        if (block.order() != order) {
            throw new IllegalArgumentException("a " + block.order() + " block in a section that is " + order);
        }
        output.endRecord();
        output.put(block.segment(), block.offset(), block.length());
        if (block.type() == PcapNgBlock.INTERFACE_DESCRIPTION) {
            interfaces++;
        } else if (block.type() == PcapNgBlock.SECTION_HEADER) {
            interfaces = 0;
        }
    }

    private void begin(int type, int fixed, PcapNgOptions options) {
        checkOrder(options);
        output.endRecord();
        output.putU32(type);
        output.putU32(fixed + options.length() + PcapNgBlock.TRAILER);
    }

    private void end(int fixed, PcapNgOptions options) {
        options.writeTo(output);
        output.putU32(fixed + options.length() + PcapNgBlock.TRAILER);
    }

    private void checkOrder(PcapNgOptions options) {
        if (options.order() != order && !options.isEmpty()) {
            throw new IllegalArgumentException(options.order() + " options in a section that is " + order);
        }
    }

    private static void checkU32(String what, long value) {
        if (value < 0 || value > 0xffff_ffffL) {
            throw new IllegalArgumentException(what + " " + value + " is not within 0 to 4294967295");
        }
    }

    private static int padded(int length) {
        return (int) PcapNgBlock.padded(Objects.checkIndex(length, RecordReader.MOST_RECORD_BYTES));
    }

    /**
     * Writes out everything buffered, including compressed data, so that a reader of the growing file, or of the file
     * after a crash, finds all of it.
     */
    public void flush() {
        output.flushWhole();
    }

    /** Returns the blocks that were written as a whole: after a failed write, those in the file. */
    long blocksFlushed() {
        return output.recordsFlushed();
    }

    /** Returns whether a write failed, so that the file has ended. */
    boolean hasFailed() {
        return output.hasFailed();
    }

    /** Returns the bytes written so far, before compression. */
    public long bytes() {
        return output.written();
    }

    @Override
    public void close() {
        output.close();
    }
}
