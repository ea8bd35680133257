package io.offhook.web.data;

import java.io.IOException;
import java.nio.file.Path;

/** Reads captures that users drop on the page. */
public interface CaptureReader {
    /**
     * Begins to read a capture, on a thread of its own, into a database of its own.
     *
     * @param file where it is; deleted by the caller after {@link OpenCapture#close}
     * @param name as its user has it
     * @throws IOException if there is no room for the database
     */
    OpenCapture read(Path file, String name) throws IOException;

    /** A capture that is read, or was. */
    interface OpenCapture extends AutoCloseable {
        /** Its calls, as far as it was read. */
        CallData data();

        /** Stops reading, and deletes the database. */
        @Override
        void close();
    }
}
