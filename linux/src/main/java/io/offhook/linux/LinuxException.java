package io.offhook.linux;

import org.jspecify.annotations.Nullable;

/** A call that the kernel refused: which, on what, and the errno with its name and meaning. */
public final class LinuxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Operation not permitted: a capability is missing. */
    public static final int EPERM = 1;
    /** No such file or directory. */
    public static final int ENOENT = 2;
    /** A signal came first. */
    public static final int EINTR = 4;
    /** Nothing there now, or no room now. */
    public static final int EAGAIN = 11;
    /** Out of memory, or of what a limit allows. */
    public static final int ENOMEM = 12;
    /** A permission is missing. */
    public static final int EACCES = 13;
    /** Busy. */
    public static final int EBUSY = 16;
    /** There is no such device, or it has gone. */
    public static final int ENODEV = 19;
    /** A value that the kernel does not take. */
    public static final int EINVAL = 22;
    /** Longer than the interface's MTU. */
    public static final int EMSGSIZE = 90;
    /** The kernel does not know this option. */
    public static final int ENOPROTOOPT = 92;
    /** The kernel was built without it. */
    public static final int EAFNOSUPPORT = 97;
    /** The interface is down. */
    public static final int ENETDOWN = 100;
    /** No room in a queue. */
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
