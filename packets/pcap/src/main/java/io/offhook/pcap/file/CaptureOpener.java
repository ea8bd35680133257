package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureFault.Kind;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.DamagedStreamException;
import io.offhook.pcap.reader.FaultList;
import io.offhook.pcap.reader.GzipChannel;
import io.offhook.pcap.reader.InputBytes;
import io.offhook.pcap.reader.InterfaceTable;
import io.offhook.pcap.reader.MappedInput;
import io.offhook.pcap.reader.NoInput;
import io.offhook.pcap.reader.PcapNgReader;
import io.offhook.pcap.reader.PcapReader;
import io.offhook.pcap.reader.PeekableChannel;
import io.offhook.pcap.reader.RecordReader;
import io.offhook.pcap.reader.SnoopReader;
import io.offhook.pcap.reader.StreamedInput;
import io.offhook.pcap.reader.ZstdChannel;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Opens a file by its content, never by its name: plain captures are mapped, compressed ones and pipes are streamed. A
 * file that cannot be opened becomes a fault and an input without frames, so that the source's other files are still
 * read.
 */
final class CaptureOpener {
    private static final String STANDARD_INPUT = "-";
    private static final int GZIP_MAGIC = 0x8b1f;
    private static final int ZSTD_MAGIC = 0xfd2fb528;
    /** The first magic number of a skippable frame, which may precede the data: 0x184d2a50 to 0x184d2a5f. */
    private static final int ZSTD_SKIPPABLE_MAGIC = 0x184d2a50;

    private static final String EXPECTED = "pcap, pcapng or snoop, plain or in gzip or zstd, was expected, ";

    private final Arena arena;
    private final InterfaceTable interfaces;
    private final FaultList faults;
    private final InputStream standardInput;
    private final boolean everyBlock;

    private boolean standardInputOpened;

    /** @param everyBlock whether pcapng files deliver blocks instead of packets: see {@link PcapNgReader} */
    CaptureOpener(
            Arena arena, InterfaceTable interfaces, FaultList faults, InputStream standardInput, boolean everyBlock) {
        this.arena = arena;
        this.interfaces = interfaces;
        this.faults = faults;
        this.standardInput = standardInput;
        this.everyBlock = everyBlock;
    }

    InputBytes open(String path) {
        if (path.equals(STANDARD_INPUT)) {
            if (standardInputOpened) {
                return unreadable(path, "standard input can be read once, and was named before", 0);
            }
            standardInputOpened = true;
            return openStream(path, new PeekableChannel(standardInput), -1);
        }
        try {
            Path file = Path.of(path);
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return unreadable(path, "a file was expected, a directory found", 0);
            }
            return attributes.isRegularFile()
                    ? openRegular(path, FileChannel.open(file, StandardOpenOption.READ))
                    : openStream(path, new PeekableChannel(new FileInputStream(file.toFile())), -1);
        } catch (InvalidPathException e) {
            return unreadable(path, "not a path: " + e.getReason(), 0);
        } catch (NoSuchFileException e) {
            String what = PathPatterns.isPattern(path) ? "no file matches the pattern" : "no such file";
            return unreadable(path, what, 0);
        } catch (AccessDeniedException e) {
            return unreadable(path, "no permission to read it", 0);
        } catch (IOException e) {
            return unreadable(path, "cannot be opened: " + e.getMessage(), 0);
        }
    }

    private InputBytes unreadable(String path, String message, long size) {
        return none(path, Kind.UNREADABLE, -1, message, CaptureCompression.NONE, size);
    }

    private InputBytes none(
            String path, Kind kind, long offset, String message, CaptureCompression compression, long size) {
        faults.add(new CaptureFault(kind, path, offset, message));
        return new NoInput(path, compression, size);
    }

    private InputBytes openRegular(String path, FileChannel channel) {
        try {
            long size = channel.size();
            ByteBuffer head = ByteBuffer.allocate(16);
            while (head.hasRemaining() && channel.read(head, head.position()) >= 0) {
                // until the end of the file, or until there is enough
            }
            RecordReader reader = readerFor(path, head.flip());
            if (reader == null || size == 0) {
                return openStream(path, new PeekableChannel(channel), size);
            }
            MemorySegment mapped;
            try {
                mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
            } catch (IOException e) {
                return openStream(
                        path,
                        new PeekableChannel(channel),
                        size); // a file system that does not map, or no address space left
            }
            channel.close();
            return new MappedInput(path, mapped, reader, faults);
        } catch (IOException e) {
            closeQuietly(channel);
            return unreadable(path, "cannot be read: " + e.getMessage(), 0);
        }
    }

    private InputBytes openStream(String path, PeekableChannel raw, long size) {
        PeekableChannel channel = raw;
        CaptureCompression compression = CaptureCompression.NONE;
        try {
            ByteBuffer head = raw.peek();
            compression = compressionOf(head);
            if (compression != CaptureCompression.NONE) {
                channel = new PeekableChannel(
                        compression == CaptureCompression.GZIP ? new GzipChannel(raw) : new ZstdChannel(raw));
                head = channel.peek();
            }
            RecordReader reader = readerFor(path, head);
            if (reader != null) {
                return new StreamedInput(path, compression, size, raw, channel, reader, faults, arena);
            }
            closeQuietly(channel);
            return none(path, Kind.UNKNOWN_FORMAT, 0, EXPECTED + found(head), compression, size);
        } catch (DamagedStreamException e) {
            closeQuietly(channel);
            Kind kind = e.isCutOff() ? Kind.CUT_OFF : Kind.DAMAGED;
            return none(path, kind, 0, String.valueOf(e.getMessage()), compression, size);
        } catch (IOException e) {
            closeQuietly(channel);
            return none(path, Kind.UNREADABLE, 0, "cannot be read: " + e.getMessage(), compression, size);
        } catch (LinkageError e) {
            closeQuietly(channel);
            String message = "zstd needs a native library, which cannot be loaded here: " + e.getMessage();
            return none(path, Kind.UNREADABLE, -1, message, compression, size);
        }
    }

    private @Nullable RecordReader readerFor(String path, ByteBuffer head) {
        if (head.limit() < 4) {
            return null;
        }
        head.order(ByteOrder.LITTLE_ENDIAN);
        int magic = head.getInt(0);
        if (magic == PcapNgBlock.SECTION_HEADER) {
            return new PcapNgReader(path, interfaces, faults, everyBlock);
        }
        PcapReader pcap = PcapReader.of(path, magic, interfaces, faults);
        if (pcap != null || head.limit() < 8) {
            return pcap;
        }
        return SnoopReader.of(path, head.order(ByteOrder.BIG_ENDIAN).getLong(0), interfaces, faults);
    }

    private static CaptureCompression compressionOf(ByteBuffer head) {
        head.order(ByteOrder.LITTLE_ENDIAN);
        if (head.limit() >= 2 && (head.getShort(0) & 0xffff) == GZIP_MAGIC) {
            return CaptureCompression.GZIP;
        }
        if (head.limit() < 4) {
            return CaptureCompression.NONE;
        }
        int magic = head.getInt(0);
        boolean zstd = magic == ZSTD_MAGIC || (magic & 0xffff_fff0) == ZSTD_SKIPPABLE_MAGIC;
        return zstd ? CaptureCompression.ZSTD : CaptureCompression.NONE;
    }

    private static String found(ByteBuffer head) {
        if (head.limit() == 0) {
            return "an empty file found";
        }
        StringJoiner bytes = new StringJoiner(" ", "found the bytes ", head.limit() < 8 ? " and no more" : "");
        for (int i = 0; i < Math.min(head.limit(), 8); i++) {
            bytes.add(String.format(Locale.ROOT, "%02x", head.get(i)));
        }
        return bytes.toString();
    }

    private static void closeQuietly(ReadableByteChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // the fault that led here has been reported, and nothing was written
        }
    }
}
