package io.offhook.web.api;

import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import java.io.ByteArrayOutputStream;

/** A document that is made in memory: an object, whose innermost array is open when it ends. */
final class JsonBuffer implements AutoCloseable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 14);
    private final JsonFields out = new JsonFields(bytes, TimeForm.EPOCH);
    private boolean isEnded;

    /** Opens the object. */
    JsonBuffer() {
        out.object();
    }

    JsonFields out() {
        return out;
    }

    /** Closes array and object. */
    byte[] end() {
        out.end().end();
        close();
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        if (!isEnded) {
            isEnded = true;
            out.close();
        }
    }
}
