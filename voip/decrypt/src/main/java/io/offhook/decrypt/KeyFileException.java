package io.offhook.decrypt;

/** A key file cannot be read or has a line that is not understood: says which file and line, never what is in it. */
public final class KeyFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    KeyFileException(String message) {
        super(message);
    }
}
