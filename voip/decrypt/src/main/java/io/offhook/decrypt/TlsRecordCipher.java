package io.offhook.decrypt;

/** Opens the records of one direction under one key. Single-threaded. */
sealed interface TlsRecordCipher permits TlsAead, TlsCbc {
    /** The record is not authentic, or too short. */
    int CLOSED = -1;

    int HEADER = 5;

    /**
     * Opens a record.
     *
     * @param record holds its header
     * @param at the first byte of the header
     * @param length bytes behind the header
     * @param number the sequence number, 0 or more
     * @param opened receives the content; holds {@code length} bytes or more
     * @return bytes of the content, or {@link #CLOSED}
     */
    int open(byte[] record, int at, int length, long number, byte[] opened);
}
