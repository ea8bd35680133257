package io.offhook.cli.input;

import java.util.Locale;

/** Why a capture ended. */
public enum CaptureEnd {
    /** The number of packets requested was captured. */
    COUNT,
    /** The duration requested is over. */
    DURATION,
    /** The number of bytes requested was captured. */
    BYTES,
    /** Ctrl-C, SIGTERM, SIGHUP. */
    SIGNAL,
    /** The interfaces have disappeared. */
    INTERFACES,
    /** The disk is full, or the reader of the pipe is gone. */
    UNWRITABLE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
