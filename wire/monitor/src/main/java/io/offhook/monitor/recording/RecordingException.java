package io.offhook.monitor.recording;

import java.io.IOException;

/** A file is no recording, or one that only a newer version can read. */
public final class RecordingException extends IOException {
    private static final long serialVersionUID = 1;

    RecordingException(String message) {
        super(message);
    }
}
