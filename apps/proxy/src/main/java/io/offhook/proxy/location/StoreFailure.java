package io.offhook.proxy.location;

/** Why a store could not do what was asked. Nothing was changed, as far as the store knows. */
public enum StoreFailure {
    /** The change could not be written: the disk is full or broken. Answer 500. */
    UNWRITABLE(500),
    /** The database cannot be reached, or refused. Answer 503. */
    UNAVAILABLE(503),
    /** Too much is waiting. Answer 503. */
    OVERLOADED(503),
    /** The limit of addresses of record is reached. Answer 503. */
    FULL(503),
    /** The store is closed, or closing. Answer 503. */
    CLOSED(503),
    /** A bug in Offhook. Answer 500. */
    INTERNAL(500);

    private final int status;

    StoreFailure(int status) {
        this.status = status;
    }

    /** The status of the answer. */
    public int status() {
        return status;
    }
}
