package io.offhook.proxy.line;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file at whose end lines are added. To rotate it, move it away and {@link #reopen}: lines in between are still in the
 * moved file, and none is lost.
 */
public final class LineFile implements LineOutput {
    private final Path path;
    private FileChannel channel;

    private LineFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Opens the file, or creates it.
     *
     * @throws IOException if it cannot be written, with its path
     */
    public static LineFile open(Path path) throws IOException {
        return new LineFile(path, channel(path));
    }

    private static FileChannel channel(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(octets, offset, length);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    @Override
    public void flush() {} // each write went to the system

    /** Opens the path again. If that fails, the old file stays in use, so that no line is lost. */
    @Override
    public void reopen() throws IOException {
        FileChannel next = channel(path);
        FileChannel before = channel;
        channel = next;
        before.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
