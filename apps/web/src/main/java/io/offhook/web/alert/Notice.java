package io.offhook.web.alert;

import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import java.io.ByteArrayOutputStream;
import java.util.Locale;

/**
 * What targets are sent.
 *
 * @param state what happened to the alert
 * @param alert as it stands
 * @param atNs when, nanoseconds since the epoch
 * @param suppressed how many notices were held back since the last one
 */
record Notice(State state, Alert alert, long atNs, long suppressed) {
    /** What happened. */
    enum State {
        RAISED,
        REPEATED,
        CLEARED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** As an object in JSON, in UTF-8. */
    byte[] json() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonFields out = new JsonFields(bytes, TimeForm.EPOCH)) {
            out.object().field("state", state.label());
            alert.write(out);
            out.time("at", atNs).field("suppressed", suppressed).end();
        }
        return bytes.toByteArray();
    }
}
