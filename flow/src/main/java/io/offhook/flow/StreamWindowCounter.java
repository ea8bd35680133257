package io.offhook.flow;

/** What {@link StreamWindows} counts. {@link #label()} is what JSON and text output call it. */
public enum StreamWindowCounter {
    /** Bytes handed to the reader. */
    BYTES("windowBytes"),
    /** Of these, those that were not released in the call that told of them, and so were copied or referenced. */
    RETAINED_BYTES("windowBytesRetained"),
    /** Windows that were emptied as their stream reached its limit. */
    STREAM_OVERFLOWS("windowStreamOverflows"),
    /** Windows that were emptied for others, as the limit on all streams was reached. */
    OVERFLOWS("windowOverflows"),
    /** Bytes that the reader had not released when their window was emptied for a limit. */
    LOST_BYTES("windowBytesLost");

    private final String label;

    StreamWindowCounter(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }
}
