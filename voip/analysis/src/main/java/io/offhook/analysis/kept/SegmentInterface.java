package io.offhook.analysis.kept;

/**
 * An interface of a segment.
 *
 * @param linkType a {@link io.offhook.packet.LinkType} value
 * @param name of the input that it was captured at; empty if that is not known
 */
record SegmentInterface(int linkType, String name) {
    /** Of segments without any. */
    static final SegmentInterface[] NONE = {};
}
