package io.offhook.pcap;

/** The formats of capture file that are read here. {@link #label()} is what Wireshark's capinfos calls it. */
public enum CaptureFormat {
    /** pcap with microseconds, either byte order. */
    PCAP("pcap"),
    /** pcap with nanoseconds, either byte order. */
    PCAP_NANOSECOND("nsecpcap"),
    /** Alexey Kuznetzov's modified pcap: eight more bytes in front of each packet. */
    PCAP_MODIFIED("modpcap"),
    /** pcapng (draft-ietf-opsawg-pcapng). */
    PCAPNG("pcapng"),
    /** Solaris snoop, version 2 (RFC 1761). */
    SNOOP("snoop");

    private final String label;

    CaptureFormat(String label) {
        this.label = label;
    }

    /** What JSON and text output call it. */
    public String label() {
        return label;
    }
}
