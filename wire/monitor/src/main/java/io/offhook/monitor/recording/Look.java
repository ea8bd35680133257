package io.offhook.monitor.recording;

import java.util.ArrayList;
import java.util.List;

/**
 * A look, or the mean of several.
 *
 * @param atNs its end, nanoseconds since the epoch
 * @param spanUs the time since the look before
 * @param meanOf seconds of which this is the mean; 0 if it is as it was read
 * @param looks of how many looks it is
 * @param rows by index
 */
record Look(long atNs, long spanUs, int meanOf, long looks, List<ThreadDelta> rows) {
    void write(RecordBytes payload) {
        payload.i64(atNs).number(spanUs).number(meanOf).number(looks).number(rows.size());
        int before = -1;
        for (ThreadDelta row : rows) {
            row.write(payload, before);
            before = row.index;
        }
    }

    static Look read(RecordCursor cursor) {
        long atNs = cursor.i64();
        long spanUs = cursor.number();
        int meanOf = cursor.count();
        long looks = cursor.number();
        int count = cursor.count();
        List<ThreadDelta> rows = new ArrayList<>(Math.min(count, cursor.left()));
        int before = -1;
        for (int i = 0; i < count && !cursor.isShort(); i++) {
            ThreadDelta row = ThreadDelta.read(cursor, before);
            rows.add(row);
            before = row.index;
        }
        return new Look(atNs, spanUs, meanOf, looks, rows);
    }
}
