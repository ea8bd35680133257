package io.offhook.dpdk;

/** What DPDK refused, or lacks: the call, its errno, and what DPDK logged meanwhile. */
public final class DpdkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** EINVAL of errno.h. */
    public static final int EINVAL = 22;
    /** ENOTSUP of errno.h: the driver has no such thing. */
    public static final int ENOTSUP = 95;

    /** Why, in the numbers of this machine; 0 where there is none. */
    private final int errno;

    /** @param message what is wrong, and what to do */
    DpdkException(String message) {
        super(message);
        errno = 0;
    }

    /**
     * @param call the call and what it was about
     * @param errno positive, or 0 where DPDK does not say why
     * @param log what DPDK said; empty where it said nothing
     */
    DpdkException(String call, int errno, String log) {
        super(call + ": " + (errno == 0 ? "refused" : RteEal.strerror(errno))
                + (log.isEmpty() ? "" : "; DPDK says: " + log));
        this.errno = errno;
    }

    /** Why, as errno.h and rte_errno.h number it; positive, or 0 where no call was refused, or DPDK does not say. */
    public int errno() {
        return errno;
    }
}
