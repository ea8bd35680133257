package io.offhook.pcap.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses gzip (RFC 1952), one or more members, from a channel into buffers of native memory. Checksum and length
 * of each member are verified. Zero bytes after the last member (from tapes or block devices) are ignored.
 *
 * <p>{@link java.util.zip.GZIPInputStream} is not used: it copies through the heap, and takes a pipe without data at
 * the moment for the end of the last member.
 */
public final class GzipChannel implements ReadableByteChannel {
    private static final int INPUT_BYTES = 64 << 10;
    private static final int MAGIC = 0x8b1f;
    private static final int DEFLATE = 8;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int FLAGS_RESERVED = 0xe0;

    private enum Stage {
        MEMBER_HEADER,
        BODY,
        END
    }

    private final ReadableByteChannel inner;
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .flip();
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();

    private Stage stage = Stage.MEMBER_HEADER;
    private boolean firstMember = true;

    /** Creates a channel that decompresses what it reads from {@code inner}, which is closed with it. */
    public GzipChannel(ReadableByteChannel inner) {
        this.inner = inner;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        while (true) {
            switch (stage) {
                case MEMBER_HEADER -> readMemberHeader();
                case BODY -> {
                    int count = inflate(target);
                    if (count > 0 || !target.hasRemaining()) {
                        return count;
                    }
                }
                case END -> {
                    return -1;
                }
            }
        }
    }

    /** @return the bytes put into the target; 0 if a member ended, or if the input ran dry before any were produced */
    private int inflate(ByteBuffer target) throws IOException {
        if (inflater.finished()) {
            readTrailer();
            return 0;
        }
        int start = target.position();
        long before = inflater.getBytesWritten();
        try {
            if (inflater.needsInput()) {
                if (!refill()) {
                    throw cutOff();
                }
                // the inflater continues at the position of this buffer, and advances it
                inflater.setInput(input);
            }
            inflater.inflate(target);
        } catch (DataFormatException e) {
            int written = (int) (inflater.getBytesWritten() - before);
            if (written == 0) {
                throw new DamagedStreamException("gzip data is damaged: " + e.getMessage(), false);
            }
            // the data before the damage is delivered first; the next call meets the damage again
            target.position(start + written);
        }
        int count = target.position() - start;
        crc.update(target.slice(start, count));
        return count;
    }

    private void readMemberHeader() throws IOException {
        if (!firstMember && isPaddingToEnd()) {
            stage = Stage.END;
            return;
        }
        int magic = u16();
        if (magic != MAGIC) {
            throw new DamagedStreamException(
                    "another gzip member was expected after the last, other data found", false);
        }
        int method = u8();
        int flags = u8();
        if (method != DEFLATE || (flags & FLAGS_RESERVED) != 0) {
            throw new DamagedStreamException("gzip of an unknown form: method " + method + ", flags " + flags, false);
        }
        skip(6);
        if ((flags & FLAG_EXTRA) != 0) {
            skip(u16());
        }
        if ((flags & FLAG_NAME) != 0) {
            skipText();
        }
        if ((flags & FLAG_COMMENT) != 0) {
            skipText();
        }
        if ((flags & FLAG_HEADER_CRC) != 0) {
            skip(2);
        }
        firstMember = false;
        inflater.reset();
        inflater.setInput(input);
        crc.reset();
        stage = Stage.BODY;
    }

    private void readTrailer() throws IOException {
        long expectedCrc = u16() | (long) u16() << 16;
        long expectedLength = u16() | (long) u16() << 16;
        if (expectedCrc != crc.getValue() || expectedLength != (inflater.getBytesWritten() & 0xffff_ffffL)) {
            throw new DamagedStreamException("gzip data does not match its checksum", false);
        }
        stage = Stage.MEMBER_HEADER;
    }

    private boolean isPaddingToEnd() throws IOException {
        while (input.hasRemaining() || refill()) {
            if (input.get(input.position()) != 0) {
                return false;
            }
            input.get();
        }
        return true;
    }

    private boolean refill() throws IOException {
        if (input.hasRemaining()) {
            return true;
        }
        input.clear();
        int count = 0;
        try {
            while (count == 0) {
                count = inner.read(input);
            }
        } finally {
            input.flip();
        }
        return count > 0;
    }

    private int u8() throws IOException {
        if (!input.hasRemaining() && !refill()) {
            throw cutOff();
        }
        return input.get() & 0xff;
    }

    private int u16() throws IOException {
        return u8() | u8() << 8;
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            u8();
        }
    }

    private void skipText() throws IOException {
        while (u8() != 0) {
            // a name or comment ends with a zero byte
        }
    }

    private static DamagedStreamException cutOff() {
        return new DamagedStreamException("gzip data ends in the middle", true);
    }

    @Override
    public boolean isOpen() {
        return inner.isOpen();
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        inner.close();
    }
}
