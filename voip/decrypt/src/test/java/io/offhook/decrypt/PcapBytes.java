package io.offhook.decrypt;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The frames of a small pcap file of the test resources, to be changed and written again. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PcapBytes(byte[] header, List<byte[]> records) {
    private static final int FILE_HEADER = 24;
    static final int RECORD_HEADER = 16;

    static byte[] resource(String name) {
        try (InputStream in = PcapBytes.class.getResourceAsStream("/decrypt/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    static PcapBytes of(String resource) {
        byte[] all = resource(resource);
        ByteBuffer buffer = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> records = new ArrayList<>();
        for (int at = FILE_HEADER; at < all.length; ) {
            int end = at + RECORD_HEADER + buffer.getInt(at + 8);
            records.add(java.util.Arrays.copyOfRange(all, at, end));
            at = end;
        }
        return new PcapBytes(java.util.Arrays.copyOf(all, FILE_HEADER), records);
    }

    Path write(Path folder) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header);
        records.forEach(out::writeBytes);
        try {
            return Files.write(folder.resolve("changed.pcap"), out.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Bytes of TCP payload of a record, of Ethernet and IPv4. */
    static int tcpPayload(byte[] record) {
        int ip = RECORD_HEADER + 14;
        int total = (record[ip + 2] & 0xff) << 8 | record[ip + 3] & 0xff;
        return total - 20 - (record[ip + 20 + 12] >> 4 & 15) * 4;
    }
}
