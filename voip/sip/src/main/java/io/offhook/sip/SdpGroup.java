package io.offhook.sip;

import java.util.List;

/**
 * A group of media lines (RFC 5888). The lines of a BUNDLE group share one port, that of the first (RFC 9143).
 *
 * @param semantics in upper case: BUNDLE, LS, FID...
 * @param mids the {@code mid} of each line, in the order written
 */
public record SdpGroup(String semantics, List<String> mids) {
    /** Copies the list. */
    public SdpGroup {
        mids = List.copyOf(mids);
    }

    /** Whether the media of the group share a transport (RFC 9143). */
    public boolean isBundle() {
        return semantics.equals("BUNDLE");
    }
}
