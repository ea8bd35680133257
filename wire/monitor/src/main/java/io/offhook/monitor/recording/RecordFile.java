package io.offhook.monitor.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file to whose end whole records are written. */
final class RecordFile implements AutoCloseable {
    private final FileChannel channel;
    private long size;

    private RecordFile(FileChannel channel, long size) {
        this.channel = channel;
        this.size = size;
    }

    /** Makes a file with its header. */
    static RecordFile create(Path path, OpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(path, options);
        RecordFile file = new RecordFile(channel, 0);
        RecordBytes header = new RecordBytes();
        header.bytes(RecordKind.MAGIC, 0, RecordKind.MAGIC.length);
        header.u8(RecordKind.VERSION).u8(RecordKind.VERSION >> Byte.SIZE);
        header.u8(RecordKind.HEADER_LENGTH).u8(0).u8(0).u8(0).u8(0).u8(0);
        try {
            file.append(header);
        } catch (IOException e) {
            file.close();
            throw e;
        }
        return file;
    }

    static RecordFile open(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        return new RecordFile(channel, channel.size());
    }

    long size() {
        return size;
    }

    /** Writes whole records behind the last one; if that fails, nothing of them is left. */
    void append(RecordBytes records) throws IOException {
        ByteBuffer buffer = records.buffer();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer, size + buffer.position());
            }
            size += records.length();
        } catch (IOException e) {
            channel.truncate(size);
            throw e;
        }
    }

    /** Waits until the disk has it. */
    void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
