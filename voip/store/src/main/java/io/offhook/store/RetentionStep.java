package io.offhook.store;

/** Between which steps a test ends the process. */
enum RetentionStep {
    /** A file was written, without its name. */
    WRITTEN,
    /** A file has its name, and counts for nothing yet. */
    PUBLISHED,
    /** All is in the transaction. */
    LISTED,
    /** The transaction is done. */
    COMMITTED,
    /** Files count no more, and are there. */
    UNLISTED,
    /** A file was deleted. */
    DELETED
}
