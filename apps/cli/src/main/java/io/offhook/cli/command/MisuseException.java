package io.offhook.cli.command;

/** Invalid options or arguments. The message names the option and what it accepts. */
public final class MisuseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MisuseException(String message) {
        super(message);
    }
}
