package io.offhook.flow.tcp;

/** The counters of {@link StreamWindows}. {@link #label()} is the name in JSON and text output. */
public enum StreamWindowCounter {
    /** Bytes passed to the reader. */
    BYTES("windowBytes"),
    /** Bytes that were not released in the call that reported them, and so were copied or referenced. */
    RETAINED_BYTES("windowBytesRetained"),
    /** Windows emptied because their stream reached its limit. */
    STREAM_OVERFLOWS("windowStreamOverflows"),
    /** Windows emptied for others, because the limit on all streams was reached. */
    OVERFLOWS("windowOverflows"),
    /** Unreleased bytes of windows that were emptied at a limit. */
    LOST_BYTES("windowBytesLost");

    private final String label;

    StreamWindowCounter(String label) {
        this.label = label;
    }

    /** The name of the counter in JSON and text output. */
    public String label() {
        return label;
    }
}
