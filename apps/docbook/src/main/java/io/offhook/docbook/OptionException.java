package io.offhook.docbook;

/** An option of {@code --docbook_opt} that does not exist, or a value that it does not take; protoc shows the message. */
final class OptionException extends Exception {
    private static final long serialVersionUID = 1L;

    OptionException(String message) {
        super(message);
    }
}
