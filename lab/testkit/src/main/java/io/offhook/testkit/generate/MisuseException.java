package io.offhook.testkit.generate;

/** A wrong command line; the message is for its author. */
public final class MisuseException extends Exception {
    private static final long serialVersionUID = 1;

    MisuseException(String message) {
        super(message);
    }
}
