package io.offhook.cli;

/** Options or arguments that make no sense; the message says which, and what would. */
final class MisuseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MisuseException(String message) {
        super(message);
    }
}
