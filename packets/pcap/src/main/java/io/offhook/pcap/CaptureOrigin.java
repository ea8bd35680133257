package io.offhook.pcap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the packets of a live capture come from, for the file that keeps them: pcapng has a place for all of it, pcap for the
 * link type alone.
 *
 * @param application that captures, with its version (shb_userappl)
 * @param operatingSystem that it runs on (shb_os, if_os), or null
 * @param hardware the machine (shb_hardware), or null
 * @param interfaces in the order of the source's: a frame's interface index is an index into it
 * @param startNs when the capture began, nanoseconds since the epoch
 */
public record CaptureOrigin(
        String application,
        @Nullable String operatingSystem,
        @Nullable String hardware,
        List<Interface> interfaces,
        long startNs) {
    /** Keeps a list of its own. */
    public CaptureOrigin {
        interfaces = List.copyOf(interfaces);
    }

    /**
     * An interface.
     *
     * @param captured its name, link type and snap length
     * @param description of it (if_description), or null
     * @param filter the expression that packets had to match (if_filter); empty for none
     * @param linkAddress six bytes (if_MACaddr), or null where it has none of that length
     * @param bitsPerSecond its speed (if_speed); 0 where it is not known
     */
    @SuppressWarnings("ArrayRecordComponent") // written to files, never compared
    public record Interface(
            CaptureInterface captured,
            @Nullable String description,
            String filter,
            byte @Nullable [] linkAddress,
            long bitsPerSecond) {}
}
