package io.offhook.pcap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origin of the packets of a live capture, for the file that they are written to. pcapng records all of it, pcap
 * only the link type.
 *
 * @param application the capturing application, with its version (shb_userappl)
 * @param operatingSystem its operating system (shb_os, if_os), or null
 * @param hardware the machine (shb_hardware), or null
 * @param interfaces the interfaces in the order of the source: a frame's interface index is an index into this list
 * @param startNs when the capture began, nanoseconds since the epoch
 */
public record CaptureOrigin(
        String application,
        @Nullable String operatingSystem,
        @Nullable String hardware,
        List<Interface> interfaces,
        long startNs) {
    /** Copies the list. */
    public CaptureOrigin {
        interfaces = List.copyOf(interfaces);
    }

    /**
     * An interface.
     *
     * @param captured its name, link type and snap length
     * @param description its description (if_description), or null
     * @param filter the expression that the packets matched (if_filter); empty for none
     * @param linkAddress its MAC address, six bytes (if_MACaddr), or null if it has none of that length
     * @param bitsPerSecond its speed (if_speed); 0 if unknown
     */
    @SuppressWarnings("ArrayRecordComponent") // written to files, never compared
    public record Interface(
            CaptureInterface captured,
            @Nullable String description,
            String filter,
            byte @Nullable [] linkAddress,
            long bitsPerSecond) {}
}
