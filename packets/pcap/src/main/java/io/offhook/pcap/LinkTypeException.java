package io.offhook.pcap;

import io.offhook.packet.LinkType;

/**
 * A packet whose link type is not that of the classic pcap file, which has only one; a pcapng file may have several.
 */
public final class LinkTypeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for a packet of link type {@code linkType} in a file of link type {@code ofFile}. */
    public LinkTypeException(int linkType, int ofFile) {
        super("linkType " + linkType + " (" + LinkType.name(linkType) + ") in a pcap file of link type " + ofFile + " ("
                + LinkType.name(ofFile) + "): write pcapng, which takes several");
    }
}
