package io.offhook.pcap.reader;

import java.io.IOException;

/** Compressed data that cannot be decompressed further. The data before the damage was delivered. */
public final class DamagedStreamException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean cutOff;

    DamagedStreamException(String message, boolean cutOff) {
        super(message);
        this.cutOff = cutOff;
    }

    /** Returns whether the data merely ends too early. */
    public boolean isCutOff() {
        return cutOff;
    }
}
