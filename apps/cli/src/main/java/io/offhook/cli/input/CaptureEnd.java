package io.offhook.cli.input;

import java.util.Locale;

/** Why a capture ended. */
public enum CaptureEnd {
    /** As many packets as asked for. */
    COUNT,
    /** As long as asked for. */
    DURATION,
    /** As many bytes as asked for. */
    BYTES,
    /** Ctrl-C, SIGTERM, SIGHUP. */
    SIGNAL,
    /** The interfaces have gone. */
    INTERFACES,
    /** The disk is full, or who read a pipe has gone. */
    UNWRITABLE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
