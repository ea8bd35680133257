package io.offhook.pcap.file;

import com.github.luben.zstd.Zstd;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureLoss;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * All that came of a capture: frames, interfaces, and faults without the name of the file, since that is how the ways of
 * reading differ.
 */
public record Reading(
        List<ReadFrame> frames,
        List<String> faults,
        List<CaptureInterface> interfaces,
        List<CaptureFile> files,
        List<CaptureLoss> losses) {

    public static Reading of(CaptureFileSource source, int capacity) {
        try (source) {
            List<ReadFrame> frames = ReadFrame.readAll(source, capacity);
            List<String> faults = source.faults().stream()
                    .map(fault -> fault.kind() + " at " + fault.offset() + ": " + fault.message())
                    .toList();
            return new Reading(frames, faults, source.interfaces(), source.files(), source.losses());
        }
    }

    public static Reading mapped(Path directory, byte[] capture, int capacity) {
        return of(CaptureFiles.open(write(directory, capture).toString()), capacity);
    }

    public static Reading streamed(byte[] capture, int capacity) {
        return streamed(new ByteArrayInputStream(capture), capacity);
    }

    public static Reading streamed(InputStream capture, int capacity) {
        return of(CaptureFiles.open(List.of("-"), capture), capacity);
    }

    /** The same without what names the file, to be compared over several ways of reading. */
    public Reading nameless() {
        List<CaptureInterface> nameless = interfaces.stream()
                .map(i -> new CaptureInterface(
                        "",
                        i.linkType(),
                        i.snapLength(),
                        i.timestampUnitsPerSecond(),
                        i.timestampOffsetSeconds(),
                        i.name(),
                        i.frameCheckBytes()))
                .toList();
        List<CaptureFile> files = this.files.stream()
                .map(f -> new CaptureFile(
                        "",
                        f.format(),
                        CaptureCompression.NONE,
                        0,
                        f.packets(),
                        f.packetsLeftOut(),
                        f.timestampsClamped()))
                .toList();
        List<CaptureLoss> losses = this.losses.stream()
                .map(l -> new CaptureLoss("", l.packets(), l.firstFrame(), l.lastFrame(), l.fromNs(), l.untilNs()))
                .toList();
        return new Reading(frames, faults, nameless, files, losses);
    }

    public static Path write(Path directory, byte[] bytes) {
        try {
            return Files.write(Files.createTempFile(directory, "capture", ""), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    static byte[] zstd(byte[] bytes) {
        return Zstd.compress(bytes);
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    /** Gives its bytes in pieces of random length, as a pipe does. */
    static InputStream dribbling(byte[] bytes, Random random, int mostBytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 1 + random.nextInt(mostBytes)));
            }
        };
    }

    /** Truncates a file, as another process may do while it is read. */
    static void truncate(Path file, long bytes) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
