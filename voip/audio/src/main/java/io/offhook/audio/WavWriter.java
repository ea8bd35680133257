package io.offhook.audio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a WAV file: linear PCM of 16 bits, little-endian, channel 1 the caller, channel 2 the callee. The header is written
 * first, with the length, so that the file can be sent while it is made. In a file, long silence takes no room on the disk.
 *
 * <pre>
 *    0  "RIFF"  u32 length of what follows  "WAVE"
 *   12  "fmt "  u32 16  u16 1 (PCM)  u16 channels  u32 rate  u32 bytes a second  u16 bytes a frame  u16 bits a sample
 *   36  "data"  u32 length of the samples
 * </pre>
 */
public final class WavWriter implements AudioSink, AutoCloseable {
    /** Octets of the header. */
    public static final int HEADER_BYTES = 44;

    /** Octets of a frame. */
    public static final int FRAME_BYTES = 4;

    /** The most frames that the 32 bits of the header can count. */
    public static final long MOST_FRAMES = (0xffff_ffffL - HEADER_BYTES) / FRAME_BYTES;

    private static final int CHANNELS = 2;
    private static final int BLOCK_FRAMES = 4096;

    private final WritableByteChannel out;
    /** The same channel, if it is a file. */
    private final @Nullable FileChannel file;

    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(BLOCK_FRAMES * FRAME_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final long frames;
    private long written;

    private WavWriter(WritableByteChannel out, @Nullable FileChannel file, int rate, long frames) throws IOException {
        this.out = out;
        this.file = file;
        this.frames = frames;
        header(rate);
    }

    /**
     * Writes to a stream, which {@link #close} leaves open.
     *
     * @param rate frames a second
     * @param frames that will follow, 0 to {@link #MOST_FRAMES}
     * @throws IOException if the header cannot be written
     */
    public static WavWriter to(OutputStream out, int rate, long frames) throws IOException {
        return new WavWriter(Channels.newChannel(out), null, rate, checked(frames));
    }

    /**
     * Writes a file, which only its owner can read; one that exists is replaced, and keeps its permissions.
     *
     * @param rate frames a second
     * @param frames that will follow, 0 to {@link #MOST_FRAMES}
     * @throws IOException if the file cannot be made
     */
    public static WavWriter create(Path path, int rate, long frames) throws IOException {
        checked(frames);
        boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownersOnly = isPosix && !Files.exists(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        FileChannel file = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                ownersOnly);
        try {
            return new WavWriter(file, file, rate, frames);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The length of a file, in octets. */
    public static long bytes(long frames) {
        return HEADER_BYTES + checked(frames) * FRAME_BYTES;
    }

    private static long checked(long frames) {
        if (frames < 0 || frames > MOST_FRAMES) {
            throw new IllegalArgumentException("frames " + frames + " is outside 0 to " + MOST_FRAMES
                    + ", what the 32 bits of a WAV header can count");
        }
        return frames;
    }

    private void header(int rate) throws IOException {
        int data = (int) (frames * FRAME_BYTES);
        buffer.put(ascii("RIFF")).putInt(data + HEADER_BYTES - 8).put(ascii("WAVE"));
        buffer.put(ascii("fmt ")).putInt(16).putShort((short) 1).putShort((short) CHANNELS);
        buffer.putInt(rate).putInt(rate * FRAME_BYTES).putShort((short) FRAME_BYTES);
        buffer.putShort((short) 16).put(ascii("data")).putInt(data);
        drain();
    }

    private static byte[] ascii(String four) {
        return four.getBytes(StandardCharsets.US_ASCII);
    }

    private void drain() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        buffer.clear();
    }

    @Override
    public void samples(short[] caller, short[] callee, int count) throws IOException {
        count(count);
        for (int i = 0; i < count; i++) {
            if (!buffer.hasRemaining()) {
                drain();
            }
            buffer.putShort(caller[i]).putShort(callee[i]);
        }
        drain();
    }

    @Override
    public void silence(long count) throws IOException {
        FileChannel file = this.file;
        if (file == null) {
            AudioSink.super.silence(count);
        } else {
            count(count);
            file.position(file.position() + count * FRAME_BYTES);
        }
    }

    private void count(long more) {
        if (more > frames - written) {
            throw new IllegalStateException(
                    more + " frames after " + written + " are more than the " + frames + " that the header has");
        }
        written += more;
    }

    /**
     * Fills up to the length in the header with silence, and closes the file.
     *
     * @throws IOException if that fails
     */
    @Override
    public void close() throws IOException {
        FileChannel file = this.file;
        if (file == null) {
            if (written < frames) {
                silence(frames - written);
            }
            return;
        }
        try (file) {
            if (file.size() < bytes(frames)) {
                file.write(ByteBuffer.wrap(new byte[1]), bytes(frames) - 1);
            }
        }
    }
}
