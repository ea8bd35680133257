package io.offhook.linux.libc;

/**
 * {@code net/if.h} and {@code linux/sockios.h}: ioctl requests for interfaces. Numbers are in native byte order; a test
 * compares the constants with the C compiler's.
 *
 * <pre>
 *   struct ifreq
 *   +--------------------------+ 0
 *   | name, ended by a 0       |
 *   | index (32) or flags (16) | 16
 *   +--------------------------+ 40
 * </pre>
 */
public final class NetIf {
    public static final int SIOCGIFNAME = 0x8910;
    public static final int SIOCGIFFLAGS = 0x8913;

    public static final int REQUEST_BYTES = 40;
    public static final int REQUEST_INDEX = 16;
    public static final int REQUEST_FLAGS = 16;

    public static final int IFF_UP = 0x1;
    public static final int IFF_RUNNING = 0x40;

    private NetIf() {}
}
