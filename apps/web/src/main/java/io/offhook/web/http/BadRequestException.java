package io.offhook.web.http;

/** A request that cannot be answered; the message goes to whoever asked, with a status. */
public final class BadRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /**
     * Creates one.
     *
     * @param status of HTTP, 400 to 499
     * @param message what is wrong, and what would be right
     */
    public BadRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The status of HTTP. */
    public int status() {
        return status;
    }
}
