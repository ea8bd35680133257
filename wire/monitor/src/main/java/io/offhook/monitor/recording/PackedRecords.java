package io.offhook.monitor.recording;

import java.io.IOException;
import java.util.zip.Deflater;

/** Collects records, and writes them packed: less than half as long. */
final class PackedRecords implements AutoCloseable {
    /** A process that is killed loses none of it: files with packed records are written whole. */
    private static final int BLOCK_BYTES = 1 << 16;

    private static final int STEP_BYTES = 1 << 14;

    private final RecordFile file;
    private final RecordBytes plain = new RecordBytes();
    private final RecordBytes payload = new RecordBytes();
    private final RecordBytes record = new RecordBytes();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

    PackedRecords(RecordFile file) {
        this.file = file;
    }

    void add(int kind, RecordBytes content) throws IOException {
        plain.plainRecord(kind, content);
        if (plain.length() >= BLOCK_BYTES) {
            flush();
        }
    }

    void flush() throws IOException {
        if (plain.length() == 0) {
            return;
        }
        payload.clear();
        payload.number(plain.length());
        deflater.reset();
        deflater.setInput(plain.array());
        deflater.finish();
        byte[] step = new byte[STEP_BYTES];
        while (!deflater.finished()) {
            payload.bytes(step, 0, deflater.deflate(step));
        }
        record.clear();
        record.record(RecordKind.PACKED, payload);
        file.append(record);
        plain.clear();
    }

    @Override
    public void close() {
        deflater.close();
    }
}
