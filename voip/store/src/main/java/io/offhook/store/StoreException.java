package io.offhook.store;

import java.io.IOException;

/** A database that cannot be opened, read or written; its message names the cause and, where there is one, the next step. */
public sealed class StoreException extends IOException permits StoreHeldException {
    private static final long serialVersionUID = 1;

    private final boolean isTemporary;

    StoreException(String message) {
        super(message);
        isTemporary = false;
    }

    StoreException(String message, Throwable cause) {
        this(message, cause, true);
    }

    StoreException(String message, Throwable cause, boolean isTemporary) {
        super(message, cause);
        this.isTemporary = isTemporary;
    }

    /** Whether the same may succeed later, when there is room on the disk for example. */
    public boolean isTemporary() {
        return isTemporary;
    }
}
