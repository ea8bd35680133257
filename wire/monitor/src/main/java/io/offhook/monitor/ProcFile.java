package io.offhook.monitor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A small file of /proc that is read again and again. It stays open, which spares opening it each time: the kernel makes its
 * content anew for each read from its beginning.
 */
final class ProcFile implements AutoCloseable {
    private final FileChannel channel;

    private ProcFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens a file; null if there is none, or none that may be read. */
    static @Nullable ProcFile open(Path path) {
        try {
            return new ProcFile(FileChannel.open(path, StandardOpenOption.READ));
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Reads it as it stands now.
     *
     * @param buffer for its bytes; what does not fit is left out
     * @return its text; null once what it describes has ended
     */
    @Nullable
    String read(ByteBuffer buffer) {
        return fill(buffer)
                ? new String(buffer.array(), buffer.arrayOffset(), buffer.limit(), StandardCharsets.ISO_8859_1)
                : null;
    }

    /**
     * Reads its bytes as they stand now, for whoever wants no text of them.
     *
     * @param buffer cleared, filled and flipped; a direct one spares a copy
     * @return false once what it describes has ended
     */
    boolean fill(ByteBuffer buffer) {
        buffer.clear();
        try {
            boolean isThere = channel.read(buffer, 0) > 0;
            buffer.flip();
            return isThere;
        } catch (IOException e) {
            return false; // ESRCH: the thread has ended
        }
    }

    /** Takes a decimal number and the character behind it from the buffer; 0 at its end. */
    static long number(ByteBuffer buffer) {
        long number = 0;
        while (buffer.hasRemaining()) {
            int digit = buffer.get() - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // it was only read
        }
    }
}
