package io.offhook.docbook.render;

/** A document that cannot be read, or is no DocBook 5; the message names file, place and reason. */
final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message, Throwable cause) {
        super(message, cause);
    }
}
