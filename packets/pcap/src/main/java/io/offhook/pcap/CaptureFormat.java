package io.offhook.pcap;

/** The capture file formats that can be read. {@link #label()} is the name that Wireshark's capinfos uses. */
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

    /** Returns its name in JSON and text output. */
    public String label() {
        return label;
    }
}
