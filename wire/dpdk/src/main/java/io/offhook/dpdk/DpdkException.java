package io.offhook.dpdk;

/**
 * Thrown when DPDK refuses a call or is missing: the message has the call, its errno, and what DPDK logged meanwhile.
 */
public final class DpdkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** EINVAL of errno.h. */
    public static final int EINVAL = 22;
    /** ENOTSUP of errno.h: the driver does not support it. */
    public static final int ENOTSUP = 95;

    /** The errno in the numbering of this machine; 0 if there is none. */
    private final int errno;

    /** @param message what is wrong, and what to do */
    DpdkException(String message) {
        super(message);
        errno = 0;
    }

    /**
     * @param call the call and its object
     * @param errno the errno, positive, or 0 if DPDK gives no reason
     * @param log what DPDK logged; empty if nothing
     */
    DpdkException(String call, int errno, String log) {
        super(call + ": " + (errno == 0 ? "refused" : RteEal.strerror(errno))
                + (log.isEmpty() ? "" : "; DPDK says: " + log));
        this.errno = errno;
    }

    /**
     * Returns the errno, as errno.h and rte_errno.h number it; positive, or 0 if no call was refused or DPDK gave no
     * reason.
     */
    public int errno() {
        return errno;
    }
}
