package io.offhook.monitor;

/** There is no such process, or none that may be looked at. */
public final class NoProcessException extends Exception {
    private static final long serialVersionUID = 1;

    NoProcessException(String message) {
        super(message);
    }
}
