package io.offhook.pcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Another process truncated a mapped capture file while it was read. Some of the bytes that were read last may not be
 * those of the file.
 */
public final class FileTruncatedException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private FileTruncatedException(String message, InternalError cause) {
        super(message, new IOException(message, cause));
    }

    /**
     * Returns the exception for a source that {@linkplain PacketSource#hasLostMemory() has lost its memory}.
     *
     * @param faults the faults of the source, of which the last {@link CaptureFault.Kind#CUT_OFF} one names the file
     * @param cause what reading a frame threw
     */
    public static FileTruncatedException of(List<CaptureFault> faults, InternalError cause) {
        String what = "a capture file was truncated while it was read";
        for (CaptureFault fault : faults) {
            if (fault.kind() == CaptureFault.Kind.CUT_OFF) {
                what = fault.describe();
            }
        }
        return new FileTruncatedException(what + "; read it again once it no longer changes", cause);
    }
}
