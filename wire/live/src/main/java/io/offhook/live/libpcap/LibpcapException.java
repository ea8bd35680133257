package io.offhook.live.libpcap;

/** What libpcap refused, in its own words and those of the call; or that it is not installed. */
public final class LibpcapException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public LibpcapException(String message) {
        super(message);
    }
}
