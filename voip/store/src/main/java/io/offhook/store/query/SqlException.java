package io.offhook.store.query;

import java.io.IOException;

/** A question that was not answered; its message says why. */
public final class SqlException extends IOException {
    private static final long serialVersionUID = 1;

    SqlException(String message) {
        super(message);
    }

    SqlException(String message, Throwable cause) {
        super(message, cause);
    }
}
