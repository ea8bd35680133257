package io.offhook.cli.input;

import java.util.Locale;

/** Why a capture ended. */
public enum CaptureEnd {
    /** The requested number of packets was captured. */
    COUNT,
    /** The requested duration has elapsed. */
    DURATION,
    /** The requested number of bytes was captured. */
    BYTES,
    /** Ctrl-C, SIGTERM, SIGHUP. */
    SIGNAL,
    /** The interfaces have disappeared. */
    INTERFACES,
    /** The output cannot be written: the disk is full, or the pipe was closed. */
    UNWRITABLE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
