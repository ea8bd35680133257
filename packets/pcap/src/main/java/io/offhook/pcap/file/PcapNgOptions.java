package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Options of a pcapng block that is to be written (draft-ietf-opsawg-pcapng, section 3.5), or records of a name resolution
 * block. Which code means what depends on the block; 1 is a comment in each.
 *
 * <p>Put together in the byte order of the section, once, and written as often as one likes. Single-threaded.
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

    /** None yet, little-endian. */
    public PcapNgOptions() {
        this(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * None yet.
     *
     * @param order of the section that they are for
     */
    public PcapNgOptions(ByteOrder order) {
        this.order = order;
    }

    ByteOrder order() {
        return order;
    }

    /** One more comment; what is beyond {@link #MOST_BYTES} in UTF-8 is left out. */
    public PcapNgOptions comment(String text) {
        return text(PcapNgOptionsView.COMMENT, text);
    }

    /** A text; what is beyond {@link #MOST_BYTES} in UTF-8 is left out. */
    public PcapNgOptions text(int code, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MOST_BYTES);
        // not in the middle of a character
        while (length < bytes.length && (bytes[length] & 0xc0) == 0x80) {
            length--;
        }
        return bytes(code, length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
    }

    /** A number of 8 bits. */
    public PcapNgOptions u8(int code, int value) {
        checkRange("value", value, 0xff);
        return bytes(code, new byte[] {(byte) value});
    }

    /** A number of 32 bits. */
    public PcapNgOptions u32(int code, long value) {
        checkRange("value", value, 0xffff_ffffL);
        return bytes(
                code, ByteBuffer.allocate(4).order(order).putInt((int) value).array());
    }

    /** 64 bits. */
    public PcapNgOptions bits64(int code, long value) {
        return bytes(code, ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    /** A time of statistics, in the units of their interface. */
    public PcapNgOptions timestampUnits(int code, long units) {
        ByteBuffer value = ByteBuffer.allocate(8).order(order).putInt((int) (units >>> 32));
        return bytes(code, value.putInt((int) units).array());
    }

    /** Bytes as they are, at most {@link #MOST_BYTES}. */
    public PcapNgOptions bytes(int code, byte[] value) {
        checkRange("code", code, 0xffff);
        if (code == PcapNgOptionsView.END) {
            throw new IllegalArgumentException("code 0 ends the options, which is written by itself");
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

    /** Whether there is none so far. */
    public boolean isEmpty() {
        return options.isEmpty();
    }

    /** Bytes that they take, with their end; 0 for none. */
    int length() {
        int sum = 0;
        for (int i = 0; i < options.size(); i++) { // without an iterator: packets have options
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
