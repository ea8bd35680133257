package io.offhook.linux;

import org.jspecify.annotations.Nullable;

/** A call that the kernel refused: which, on what, and the errno with its name and meaning. */
public final class LinuxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Operation not permitted: a capability is missing. */
    public static final int EPERM = 1;
    /** A signal came first. */
    public static final int EINTR = 4;
    /** Nothing there now, or no room now. */
    public static final int EAGAIN = 11;
    /** Somebody has it already. */
    public static final int EBUSY = 16;
    /** Arguments that make no sense, to this kernel. */
    public static final int EINVAL = 22;
    /** The driver or the protocol has no such operation. */
    public static final int EOPNOTSUPP = 95;
    /** The kernel was built without it. */
    public static final int EAFNOSUPPORT = 97;
    /** The interface is down, or gone. */
    public static final int ENETDOWN = 100;
    /** No memory for it, or a limit on memory is reached. */
    public static final int ENOBUFS = 105;

    /** Which call it was. */
    private final String call;
    /** Why, in the numbers of this machine. */
    private final int errno;

    /**
     * A refusal.
     *
     * @param call the call and what it was about: {@code bind to eth0}
     * @param errno positive
     */
    public LinuxException(String call, int errno) {
        super(call + ": " + describe(errno));
        this.call = call;
        this.errno = errno;
    }

    /** What was called, and on what. */
    public String call() {
        return call;
    }

    /** Why, as errno.h numbers it; positive. */
    public int errno() {
        return errno;
    }

    /** The result of a call that answers with a negative errno, where it is none. */
    static int check(int result, String call) {
        if (result < 0) {
            throw new LinuxException(call, -result);
        }
        return result;
    }

    private static String describe(int errno) {
        @Nullable String name = CLibrary.text("strerrorname_np", errno);
        @Nullable String meaning = CLibrary.text("strerror", errno);
        return (name == null ? "errno " + errno : name) + (meaning == null ? "" : ", " + meaning);
    }
}
