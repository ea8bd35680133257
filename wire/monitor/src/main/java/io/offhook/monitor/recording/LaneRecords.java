package io.offhook.monitor.recording;

import java.util.ArrayList;
import java.util.List;

/**
 * What the lanes did in a look, as its record has it.
 *
 * @param unpublished lanes that had no room on a board
 * @param rows by index: those that were published
 */
record LaneRecords(long unpublished, List<LaneDelta> rows) {
    static final LaneRecords NONE = new LaneRecords(0, List.of());

    boolean isEmpty() {
        return unpublished == 0 && rows.isEmpty();
    }

    void write(RecordBytes payload) {
        payload.number(unpublished).number(rows.size());
        int before = -1;
        for (LaneDelta row : rows) {
            row.write(payload, before);
            before = row.index;
        }
    }

    static LaneRecords read(RecordCursor cursor) {
        long unpublished = Math.max(0, cursor.number());
        int count = cursor.count();
        List<LaneDelta> rows = new ArrayList<>(Math.min(count, cursor.left()));
        int before = -1;
        for (int i = 0; i < count && !cursor.isShort(); i++) {
            LaneDelta row = LaneDelta.read(cursor, before);
            rows.add(row);
            before = row.index;
        }
        return new LaneRecords(unpublished, rows);
    }
}
