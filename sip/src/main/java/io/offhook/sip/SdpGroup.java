package io.offhook.sip;

import java.util.List;

/**
 * Media lines that belong together (RFC 5888; BUNDLE RFC 9143: they share one port, that of the first).
 *
 * @param semantics in upper case: BUNDLE, LS, FID...
 * @param mids the {@code mid} of each line, in the order written
 */
public record SdpGroup(String semantics, List<String> mids) {
    /** Copies the list. */
    public SdpGroup {
        mids = List.copyOf(mids);
    }

    /** Whether its media share a transport (RFC 9143). */
    public boolean isBundle() {
        return semantics.equals("BUNDLE");
    }
}
