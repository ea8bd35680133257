package io.offhook.store;

/** A database that another process has opened to write. */
public final class StoreHeldException extends StoreException {
    private static final long serialVersionUID = 1;

    private final long pid;

    StoreHeldException(String database, String program, long pid, Throwable cause) {
        super(
                database + " is open in another process: PID " + pid + ", " + program
                        + "; end that, or ask through it if it is offhook serve",
                cause);
        this.pid = pid;
    }

    /** The process. */
    public long pid() {
        return pid;
    }
}
