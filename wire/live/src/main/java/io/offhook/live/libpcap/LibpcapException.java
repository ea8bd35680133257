package io.offhook.live.libpcap;

/** Thrown when libpcap is not installed, or refuses a call; the message has its reason and the call's. */
public final class LibpcapException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a reason. */
    public LibpcapException(String message) {
        super(message);
    }
}
