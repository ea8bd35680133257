package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The options of a pcapng block to be written (draft-ietf-opsawg-pcapng, section 3.5), or the records of a name
 * resolution block. The meaning of a code depends on the block; 1 is a comment in every block.
 *
 * <p>Encoded once in the byte order of the section, and written any number of times. Single-threaded.
 */
public final class PcapNgOptions {
    /** The most bytes that an option can hold. */
    public static final int MOST_BYTES = 0xffff;

    private final ByteOrder order;
    private final List<Option> options = new ArrayList<>();

    private static final class Option {
        final int code;
        final byte[] value;

        Option(int code, byte[] value) {
            this.code = code;
            this.value = value;
        }
    }

    /** Creates an empty list, little-endian. */
    public PcapNgOptions() {
        this(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Creates an empty list.
     *
     * @param order the byte order of the section to write them to
     */
    public PcapNgOptions(ByteOrder order) {
        this.order = order;
    }

    ByteOrder order() {
        return order;
    }

    /** Adds a comment, truncated to {@link #MOST_BYTES} of UTF-8. */
    public PcapNgOptions comment(String text) {
        return text(PcapNgOptionsView.COMMENT, text);
    }

    /** Adds a text, truncated to {@link #MOST_BYTES} of UTF-8. */
    public PcapNgOptions text(int code, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MOST_BYTES);
        // not in the middle of a character
        while (length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--;
        }
        return bytes(code, length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
    }

    /** Adds an 8-bit number, 0 to 255. */
    public PcapNgOptions u8(int code, int value) {
        checkRange("value", value, 0xff);
        return bytes(code, new byte[] {(byte) value});
    }

    /** Adds a 32-bit number, 0 to 4294967295. */
    public PcapNgOptions u32(int code, long value) {
        checkRange("value", value, 0xffff_ffffL);
        return bytes(
                code, ByteBuffer.allocate(4).order(order).putInt((int) value).array());
    }

    /** Adds 64 bits. */
    public PcapNgOptions bits64(int code, long value) {
        return bytes(code, ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    /** Adds a time, as in statistics, in the units of the interface. */
    public PcapNgOptions timestampUnits(int code, long units) {
        ByteBuffer value = ByteBuffer.allocate(8).order(order).putInt((int) (units >>> 32));
        return bytes(code, value.putInt((int) units).array());
    }

    /** Adds bytes as they are, at most {@link #MOST_BYTES}. */
    public PcapNgOptions bytes(int code, byte[] value) {
        checkRange("code", code, 0xffff);
        if (code == PcapNgOptionsView.END) {
            throw new IllegalArgumentException("code 0 is the end of options, which is written automatically");
        }
        checkRange("length", value.length, MOST_BYTES);
        options.add(new Option(code, value.clone()));
        return this;
    }

    private static void checkRange(String what, long value, long most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(what + " " + value + " is not within 0 to " + most);
        }
    }

    /** Returns whether there are no options so far. */
    public boolean isEmpty() {
        return options.isEmpty();
    }

    /** Returns the bytes that they take, including their end; 0 if there are none. */
    int length() {
        int sum = 0;
        for (int i = 0; i < options.size(); i++) { // no iterator: this runs for each packet that has options
            sum += 4 + (int) PcapNgBlock.padded(options.get(i).value.length);
        }
        return sum == 0 ? 0 : sum + 4;
    }

    void addAll(PcapNgOptions others) {
        options.addAll(others.options);
    }

    void writeTo(CaptureOutput output) {
        writeWithoutEnd(output);
        if (!options.isEmpty()) {
            output.putU32(0);
        }
    }

    void writeWithoutEnd(CaptureOutput output) {
        for (int i = 0; i < options.size(); i++) {
            Option option = options.get(i);
            output.putU16(option.code);
            output.putU16(option.value.length);
            output.put(option.value);
            output.pad(option.value.length);
        }
    }
}
