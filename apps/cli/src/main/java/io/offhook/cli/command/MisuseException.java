package io.offhook.cli.command;

/** Options or arguments that make no sense; the message says which, and what would. */
public final class MisuseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MisuseException(String message) {
        super(message);
    }
}
