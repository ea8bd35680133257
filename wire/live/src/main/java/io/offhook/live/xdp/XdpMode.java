package io.offhook.live.xdp;

/** Which part of the system runs the program that redirects frames. */
public enum XdpMode {
    /** The driver if it can, otherwise the network stack. */
    AUTO,
    /** The driver, before the kernel allocates anything for the frame; not all drivers can. */
    NATIVE,
    /** The network stack, with any driver, after the kernel has built its own buffer of the frame: slower. */
    GENERIC
}
