package io.offhook.testkit.generate;

/** Words of a command line that mean nothing; the message is for who wrote them. */
public final class MisuseException extends Exception {
    private static final long serialVersionUID = 1;

    MisuseException(String message) {
        super(message);
    }
}
