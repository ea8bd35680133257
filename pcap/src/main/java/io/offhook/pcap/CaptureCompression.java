package io.offhook.pcap;

/** What a capture file is wrapped in, as its first bytes tell. */
public enum CaptureCompression {
    NONE("none"),
    /** One or many gzip members (RFC 1952). */
    GZIP("gzip"),
    /** One or many Zstandard frames (RFC 8878). */
    ZSTD("zstd");

    private final String label;

    CaptureCompression(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
