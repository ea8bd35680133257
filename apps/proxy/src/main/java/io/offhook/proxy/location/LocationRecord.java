package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record of journal and snapshot: an address of record and all its bindings, none if it has no more. The last record of an
 * address of record counts, so that a record may be read twice.
 *
 * <pre>
 * length of the rest after the checksum 4 | CRC-32C of it 4
 * | length 2, user | length 2, domain | number of bindings 2 | each: length 2, binding
 * </pre>
 *
 * @param bytes of the record in the file
 */
record LocationRecord(AddressOfRecord addressOfRecord, List<Binding> bindings, int bytes) {
    static final int HEAD = 8;
    private static final int MOST_BYTES = 16 << 20;

    /** The record as bytes, positioned at its start. */
    static ByteBuffer encode(AddressOfRecord addressOfRecord, List<Binding> bindings) {
        byte[] user = addressOfRecord.user().getBytes(StandardCharsets.UTF_8);
        byte[] domain = addressOfRecord.domain().getBytes(StandardCharsets.UTF_8);
        int length = 6 + user.length + domain.length;
        for (Binding binding : bindings) {
            length += 2 + binding.encoded().length;
        }
        ByteBuffer record = ByteBuffer.allocate(HEAD + length);
        record.putInt(length).putInt(0);
        record.putShort((short) user.length).put(user);
        record.putShort((short) domain.length).put(domain);
        record.putShort((short) bindings.size());
        for (Binding binding : bindings) {
            record.putShort((short) binding.encoded().length).put(binding.encoded());
        }
        return record.putInt(4, checksum(record.array())).flip();
    }

    /** Null at the end of the file, and where what follows is no whole record. */
    static @Nullable LocationRecord read(DataInputStream in) throws IOException {
        byte[] record;
        int checksum;
        try {
            int length = in.readInt();
            checksum = in.readInt();
            if (length < 6 || length > MOST_BYTES) {
                return null;
            }
            record = new byte[HEAD + length];
            in.readFully(record, HEAD, length);
        } catch (EOFException e) { // torn, or the end
            return null;
        }
        return checksum == checksum(record) ? decode(record) : null;
    }

    private static @Nullable LocationRecord decode(byte[] record) {
        ByteBuffer in = ByteBuffer.wrap(record, HEAD, record.length - HEAD);
        try {
            AddressOfRecord addressOfRecord = new AddressOfRecord(
                    new String(next(in), StandardCharsets.UTF_8), new String(next(in), StandardCharsets.UTF_8));
            int count = in.getShort() & 0xffff;
            List<Binding> bindings = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Binding binding = Binding.of(next(in));
                if (binding == null) {
                    return null;
                }
                bindings.add(binding);
            }
            return new LocationRecord(addressOfRecord, bindings, record.length);
        } catch (BufferUnderflowException e) { // written by another version
            return null;
        }
    }

    private static byte[] next(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort() & 0xffff];
        in.get(bytes);
        return bytes;
    }

    private static int checksum(byte[] record) {
        CRC32C checksum = new CRC32C();
        checksum.update(record, HEAD, record.length - HEAD);
        return (int) checksum.getValue();
    }
}
