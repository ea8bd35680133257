package io.offhook.pcap.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a sound pcapng file holds, read by the letter of draft-ietf-opsawg-pcapng and with nothing of what is tested: each
 * block with its fields and options as numbers and bytes that do not depend on the byte order.
 */
public final class BlocksByHand {
    /** An option, or a record of names: its code, and its value as text. */
    public record Option(int code, String value) {}

    /** A block: its type, what is in front of the options, and those. */
    public record Block(int type, String fields, List<Option> options) {
        @Override
        public String toString() {
            return Integer.toHexString(type) + ": " + fields
                    + options.stream()
                            .map(option -> " | " + option.code() + "=" + option.value())
                            .collect(Collectors.joining());
        }
    }

    private final ByteBuffer file;
    private final List<Block> blocks = new ArrayList<>();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    private BlocksByHand(byte[] file) {
        this.file = ByteBuffer.wrap(file);
    }

    public static List<Block> of(byte[] file) {
        BlocksByHand reader = new BlocksByHand(file);
        for (int at = 0; at < file.length; ) {
            at += reader.block(at);
        }
        return reader.blocks;
    }

    private int block(int at) {
        if (file.order(ByteOrder.BIG_ENDIAN).getInt(at) == 0x0a0d0d0a) {
            boolean isBig = file.getInt(at + 8) == 0x1a2b3c4d;
            order = isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        }
        file.order(order);
        int type = file.getInt(at);
        int length = file.getInt(at + 4);
        int whole = length + 3 & ~3;
        if (length < 12 || file.getInt(at + whole - 4) != length) {
            throw new AssertionError("block at " + at + " of " + length + " bytes has another length at its end");
        }
        int end = at + whole - 4;
        int body = at + 8;
        switch (type) {
            case 0x0a0d0d0a ->
                add(
                        type,
                        file.getShort(at + 12) + "." + file.getShort(at + 14) + " " + file.getLong(at + 16),
                        at + 24,
                        end);
            case 1 -> add(type, u16(body) + " " + file.getInt(body + 4), body + 8, end);
            case 2, 6 -> {
                String from = type == 2 ? u16(body) + " drops " + u16(body + 2) : file.getInt(body) + " drops 65535";
                int captured = file.getInt(body + 12);
                String fields =
                        from + " " + time(body + 4) + " " + file.getInt(body + 16) + " " + hex(body + 20, captured);
                add(type, fields, body + 20 + (captured + 3 & ~3), end);
            }
            case 3 -> add(type, file.getInt(body) + " " + hex(body + 4, end - body - 4), end, end);
            case 4 -> {
                int records = body;
                while (records < end && file.getInt(records) != 0) {
                    records += 4 + (u16(records + 2) + 3 & ~3);
                }
                int names = Math.min(end, records + 4);
                add(type, options(type, body, names).toString(), names, end);
            }
            case 5 -> add(type, file.getInt(body) + " " + time(body + 4), body + 12, end);
            case 10 -> {
                int secrets = file.getInt(body + 4);
                add(type, file.getInt(body) + " " + hex(body + 8, secrets), body + 8 + (secrets + 3 & ~3), end);
            }
            default -> add(type, hex(body, end - body), end, end);
        }
        return whole;
    }

    private void add(int type, String fields, int options, int end) {
        blocks.add(new Block(type, fields, options(type, options, end)));
    }

    private List<Option> options(int type, int start, int end) {
        List<Option> options = new ArrayList<>();
        int at = start;
        while (end - at >= 4 && u16(at) != 0) {
            int length = u16(at + 2);
            options.add(new Option(u16(at), value(type, u16(at), at + 4, length)));
            at += 4 + (length + 3 & ~3);
        }
        return options;
    }

    private String value(int type, int code, int at, int length) {
        boolean isPacket = type == 2 || type == 6;
        if (length == 4 && (isPacket && (code == 2 || code == 6) || type == 1 && code == 10)) {
            return "u32 " + file.getInt(at);
        }
        boolean isTime = type == 5 && (code == 2 || code == 3);
        boolean isNumber = isPacket && (code == 4 || code == 5 || code == 8)
                || type == 5 && code >= 4 && code <= 8
                || type == 1 && (code == 8 || code == 14 || code == 16 || code == 17);
        if (length == 8 && (isTime || isNumber)) {
            return "u64 " + (isTime ? time(at) : Long.toString(file.getLong(at)));
        }
        if (isPacket && code == 7 && length == 9) {
            return "verdict " + file.get(at) + " " + file.getLong(at + 1);
        }
        if (length >= 4 && (code == 2988 || code == 2989 || code == 19372 || code == 19373)) {
            return "custom " + file.getInt(at) + " " + hex(at + 4, length - 4);
        }
        return hex(at, length);
    }

    /** Upper half first, in either byte order. */
    private String time(int at) {
        return Long.toString((long) file.getInt(at) << 32 | file.getInt(at + 4) & 0xffff_ffffL);
    }

    private int u16(int at) {
        return file.getShort(at) & 0xffff;
    }

    private String hex(int at, int length) {
        return HexFormat.of().formatHex(file.array(), at, at + length);
    }
}
