package io.offhook.live.xdp;

/** Who runs the program that redirects frames. */
public enum XdpMode {
    /** The driver where it can, else the network stack. */
    AUTO,
    /** The driver, before the kernel has made anything of the frame; not all can. */
    NATIVE,
    /** The network stack, of any driver, after it has made its own buffer of the frame: slower. */
    GENERIC
}
