package io.offhook.store;

import java.io.IOException;

/** A database that cannot be opened, read or written; its message names the cause and, where there is one, the next step. */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1;

    StoreException(String message) {
        super(message);
    }

    StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
