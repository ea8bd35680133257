package io.offhook.testkit.traffic;

import io.offhook.packet.LinkType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * Writes frames as a pcap or pcapng file, in all variants of these formats. Immutable: each option returns a new
 * writer.
 */
public final class CaptureWriter {
    private enum Form {
        PCAP,
        PCAP_MODIFIED,
        PCAPNG
    }

    private static final int SNAP_LENGTH = 262_144;
    /** The bytes assembled before they are written. */
    private static final int STRETCH_BYTES = 1 << 16;

    private Form form;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    /** pcapng's if_tsresol: a power of ten, or with the high bit a power of two. */
    private int resolution = 6;

    private long offsetSeconds;
    private int sections = 1;
    private boolean otherBlocks;
    private int snapLength = SNAP_LENGTH;
    private boolean compressed;
    private long droppedInAll;

    private CaptureWriter(Form form) {
        this.form = form;
    }

    /** A copy with one option set. */
    private CaptureWriter with(Consumer<CaptureWriter> option) {
        CaptureWriter copy = new CaptureWriter(form);
        copy.order = order;
        copy.resolution = resolution;
        copy.offsetSeconds = offsetSeconds;
        copy.sections = sections;
        copy.otherBlocks = otherBlocks;
        copy.snapLength = snapLength;
        copy.compressed = compressed;
        copy.droppedInAll = droppedInAll;
        option.accept(copy);
        return copy;
    }

    /** Little-endian pcap with microseconds. Takes frames of one link type. */
    public static CaptureWriter pcap() {
        return new CaptureWriter(Form.PCAP);
    }

    /** Little-endian pcapng with microseconds, one section, an interface for each link type. */
    public static CaptureWriter pcapng() {
        return new CaptureWriter(Form.PCAPNG);
    }

    public CaptureWriter bigEndian() {
        return with(writer -> writer.order = ByteOrder.BIG_ENDIAN);
    }

    public CaptureWriter nanoseconds() {
        return resolution(9);
    }

    /** The "modified" pcap of Alexey Kuznetzov, with eight more bytes in each record's header. */
    public CaptureWriter modified() {
        return with(writer -> writer.form = Form.PCAP_MODIFIED);
    }

    /**
     * Sets pcapng's if_tsresol.
     *
     * @param value 0 to 9 for a power of ten; 128 + n for 2^-n seconds, n from 30 to 32, fine enough to keep nanoseconds
     */
    public CaptureWriter resolution(int value) {
        if ((value < 0 || value > 9) && (value < 128 + 30 || value > 128 + 32)) {
            throw new IllegalArgumentException("resolution " + value + " is not in 0 to 9 or 158 to 160");
        }
        return with(writer -> writer.resolution = value);
    }

    /** Sets pcapng's if_tsoffset: the seconds that readers add to each time. */
    public CaptureWriter timeOffset(long seconds) {
        return with(writer -> writer.offsetSeconds = seconds);
    }

    /** Writes pcapng in several sections, with the frames distributed evenly and in order. */
    public CaptureWriter sections(int count) {
        return with(writer -> writer.sections = count);
    }

    /** Adds pcapng blocks without packets: name resolution, statistics, a custom block, one of an unknown type. */
    public CaptureWriter withOtherBlocks() {
        return with(writer -> writer.otherBlocks = true);
    }

    /** Truncates frames, as a capture with {@code -s} does. What is known of payloads then no longer holds. */
    public CaptureWriter snapLength(int bytes) {
        return with(writer -> writer.snapLength = bytes);
    }

    /** Ends each pcapng section with statistics that report packets lost by the interface. */
    public CaptureWriter dropped(long packets) {
        return with(writer -> writer.droppedInAll = packets);
    }

    public CaptureWriter gzip() {
        return with(writer -> writer.compressed = true);
    }

    /** The whole file. */
    public byte[] write(List<Frame> frames) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024 + frames.size() * 64);
        try {
            write(frames, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    public void write(List<Frame> frames, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            write(frames, out);
        }
    }

    /** Goes over the frames once, and keeps none of them. */
    private void write(List<Frame> frames, OutputStream out) throws IOException {
        if (compressed) {
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                writePlain(frames, gzip);
            }
        } else {
            writePlain(frames, out);
        }
    }

    private void writePlain(List<Frame> frames, OutputStream out) throws IOException {
        Octets file = new Octets(order, 2 * STRETCH_BYTES);
        if (form == Form.PCAPNG) {
            pcapng(frames, file, out);
        } else {
            pcap(frames, file, out);
        }
        file.drain(out, 0);
    }

    private void pcap(List<Frame> frames, Octets file, OutputStream out) throws IOException {
        int linkType = frames.isEmpty() ? LinkType.ETHERNET : frames.getFirst().linkType();
        if (resolution != 6 && resolution != 9) {
            throw new IllegalStateException("pcap has microseconds or nanoseconds, not resolution " + resolution);
        }
        if (form == Form.PCAP_MODIFIED && resolution == 9) {
            throw new IllegalStateException("the modified form has microseconds only");
        }
        file.u32(form == Form.PCAP_MODIFIED ? 0xa1b2cd34L : resolution == 9 ? 0xa1b23c4dL : 0xa1b2c3d4L)
                .u16(2)
                .u16(4)
                .u32(0)
                .u32(0)
                .u32(snapLength)
                .u32(linkType);
        for (Frame frame : frames) {
            if (frame.linkType() != linkType) {
                throw new IllegalArgumentException(
                        "pcap holds one link type; " + frame.linkType() + " came after " + linkType);
            }
            int captured = Math.min(frame.bytes().length, snapLength);
            long fraction = frame.timestampNs() % 1_000_000_000 / (resolution == 9 ? 1 : 1000);
            file.u32(frame.timestampNs() / 1_000_000_000)
                    .u32(fraction)
                    .u32(captured)
                    .u32(frame.wireLength());
            if (form == Form.PCAP_MODIFIED) {
                file.u32(1).u16(0x0800).u8(0).u8(0); // interface index, protocol, packet type, padding
            }
            file.bytes(frame.bytes(), 0, captured).drain(out, STRETCH_BYTES);
        }
    }

    private void pcapng(List<Frame> frames, Octets file, OutputStream out) throws IOException {
        for (int section = 0; section < sections; section++) {
            int from = (int) ((long) frames.size() * section / sections);
            int to = (int) ((long) frames.size() * (section + 1) / sections);
            section(file, frames.subList(from, to), out);
        }
    }

    private void section(Octets file, List<Frame> frames, OutputStream out) throws IOException {
        block(file, 0x0a0d0d0a, block().u32(0x1a2b3c4dL).u16(1).u16(0).u64(-1));
        List<Integer> interfaces = new ArrayList<>();
        for (Frame frame : frames) {
            int index = interfaces.indexOf(frame.linkType());
            if (index < 0) {
                index = interfaces.size();
                interfaces.add(frame.linkType());
                describeInterface(file, frame.linkType(), index);
                if (otherBlocks) {
                    extras(file);
                }
            }
            packet(file, frame, index);
            file.drain(out, STRETCH_BYTES);
        }
        if (otherBlocks && !interfaces.isEmpty()) {
            block(file, 5, block().u32(0).u32(0).u32(0)); // interface statistics
        }
        if (droppedInAll > 0) {
            block(
                    file,
                    5,
                    block().u32(0)
                            .u32(0)
                            .u32(0)
                            .u16(5)
                            .u16(8)
                            .u64(droppedInAll)
                            .u16(0)
                            .u16(0)); // isb_ifdrop
        }
    }

    private void describeInterface(Octets file, int linkType, int index) {
        Octets body = block().u16(linkType).u16(0).u32(snapLength);
        byte[] name = ("if" + index).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        body.u16(2).u16(name.length).bytes(name).padTo(4);
        body.u16(9).u16(1).u8(resolution).padTo(4);
        if (offsetSeconds != 0) {
            body.u16(14).u16(8).u64(offsetSeconds);
        }
        block(file, 1, body.u16(0).u16(0));
    }

    private void extras(Octets file) {
        block(
                file,
                4, // name resolution: one IPv4 record, end of records
                block().u16(1)
                        .u16(11)
                        .bytes((byte) 10, (byte) 1, (byte) 0, (byte) 1)
                        .text("caller\0")
                        .padTo(4)
                        .u32(0));
        block(
                file,
                0x0bad,
                block().u32(32_473).text("custom data of an example enterprise").padTo(4));
        block(file, 0x7ffe, block().u64(0x0123_4567_89ab_cdefL));
    }

    private void packet(Octets file, Frame frame, int index) {
        int captured = Math.min(frame.bytes().length, snapLength);
        long units = units(frame.timestampNs() - offsetSeconds * 1_000_000_000);
        block(
                file,
                6,
                block().u32(index)
                        .u32(units >>> 32)
                        .u32(units & 0xffff_ffffL)
                        .u32(captured)
                        .u32(frame.wireLength())
                        .bytes(frame.bytes(), 0, captured)
                        .padTo(4));
    }

    private long units(long timeNs) {
        long seconds = timeNs / 1_000_000_000;
        long rest = timeNs % 1_000_000_000;
        if (resolution < 128) {
            long divisor = 1;
            for (int i = resolution; i < 9; i++) {
                divisor *= 10;
            }
            return seconds * (1_000_000_000 / divisor) + rest / divisor;
        }
        // rounded up, so that a reader who rounds down finds the same nanosecond again
        int power = resolution - 128;
        return (seconds << power) + ((rest << power) + 999_999_999) / 1_000_000_000;
    }

    private Octets block() {
        return new Octets(order, 128);
    }

    private static void block(Octets file, int type, Octets body) {
        int total = 12 + body.length();
        file.u32(type).u32(total).bytes(body.toArray()).u32(total);
    }
}
