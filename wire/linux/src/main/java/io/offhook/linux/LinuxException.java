package io.offhook.linux;

import io.offhook.linux.libc.CLibrary;
import org.jspecify.annotations.Nullable;

/** A failed system call. The message has the call, its object, and the errno with name and meaning. */
public final class LinuxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Operation not permitted: a capability is missing. */
    public static final int EPERM = 1;
    /** Interrupted by a signal. */
    public static final int EINTR = 4;
    /** Nothing is available, or there is no room, at present. */
    public static final int EAGAIN = 11;
    /** In use already. */
    public static final int EBUSY = 16;
    /** The arguments are not valid for this kernel. */
    public static final int EINVAL = 22;
    /** The driver or the protocol does not support the operation. */
    public static final int EOPNOTSUPP = 95;
    /** The kernel does not support the address family. */
    public static final int EAFNOSUPPORT = 97;
    /** The interface is down or gone. */
    public static final int ENETDOWN = 100;
    /** No memory is available, or a limit on memory is reached. */
    public static final int ENOBUFS = 105;

    /** The failed call. */
    private final String call;
    /** The errno, in the numbering of this machine. */
    private final int errno;

    /**
     * Creates an exception for a failed call.
     *
     * @param call the call and its object: {@code bind to eth0}
     * @param errno the errno, positive
     */
    public LinuxException(String call, int errno) {
        super(call + ": " + describe(errno));
        this.call = call;
        this.errno = errno;
    }

    /** The failed call and its object. */
    public String call() {
        return call;
    }

    /** The errno, as errno.h numbers it; positive. */
    public int errno() {
        return errno;
    }

    /**
     * Returns the result of a call that reports failure as a negative errno.
     *
     * @throws LinuxException if the result is a negative errno
     */
    public static int check(int result, String call) {
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
