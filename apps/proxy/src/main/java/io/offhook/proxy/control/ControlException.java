package io.offhook.proxy.control;

/**
 * A command that cannot be done: it is unknown, its words are wrong, or nobody answers. The message says what, and what to
 * do, and is meant for who asked.
 */
public final class ControlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A refusal with a message for who asked. */
    public ControlException(String message) {
        super(message);
    }

    /** A refusal with a message for who asked, and its cause. */
    public ControlException(String message, Throwable cause) {
        super(message, cause);
    }
}
