package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.report.CallFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A row of the table of documents: a call as JSON.
 *
 * @param call the call's id
 * @param callNs when the call was first seen
 * @param document the JSON
 */
record DocumentRow(long call, long callNs, String document) {
    private static final int FIRST_BYTES = 8192;

    static final Table<DocumentRow> TABLE = new Table<>(
            "call_documents",
            "A call with all that is known of it, as `offhook calls --intervals --format json` has it; DuckDB's functions for"
                    + " JSON read it.",
            new Table.Key("call", "call_at"),
            List.of(
                    Column.whole("call", "`id` of the call.", DocumentRow::call),
                    Column.longText("document", "The JSON; OUTPUT.md lists its fields.", DocumentRow::document),
                    Column.time("call_at", "`first_seen_at` of the call.", DocumentRow::callNs)));

    static DocumentRow of(CallRow row) {
        return new DocumentRow(row.id(), row.firstSeenNs(), json(row.call()));
    }

    private static String json(CallReport call) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(FIRST_BYTES);
        try (JsonFields json = new JsonFields(bytes, TimeForm.EPOCH)) {
            json.object();
            CallFields.writeJson(json, call);
            json.end();
        }
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }
}
