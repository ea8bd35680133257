package io.offhook.testkit.traffic;

/**
 * One captured packet.
 *
 * @param timestampNs since the epoch
 * @param linkType as capture files number it
 * @param bytes as captured; not copied
 * @param wireLength bytes that it had on the wire, at least those captured
 */
@SuppressWarnings("ArrayRecordComponent") // frames are compared by nobody
public record Frame(long timestampNs, int linkType, byte[] bytes, int wireLength) {}
