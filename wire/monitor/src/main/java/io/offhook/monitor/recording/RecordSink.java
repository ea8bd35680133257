package io.offhook.monitor.recording;

import java.io.IOException;

/** Takes records in their order. */
interface RecordSink {
    /** @param payload is valid until this returns */
    void add(int kind, RecordBytes payload) throws IOException;
}
