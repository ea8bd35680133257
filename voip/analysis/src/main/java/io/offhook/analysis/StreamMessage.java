package io.offhook.analysis;

/**
 * A SIP message that was read from a stream. Its bytes are borrowed until {@link StreamProtocol.StreamOutput} has taken
 * it.
 *
 * @param octets the array with its bytes
 * @param offset of its first byte
 * @param length bytes
 * @param timestampNs of the packet that completed it, nanoseconds since the epoch
 * @param frameNumber of that packet, 1-based
 * @param start the position in the stream of the first byte that carried it; positions count the bytes fed to the
 *     reader, including gaps, from 0
 * @param end the position after its last byte
 */
@SuppressWarnings("ArrayRecordComponent") // borrowed bytes, never compared
public record StreamMessage(
        byte[] octets, int offset, int length, long timestampNs, long frameNumber, long start, long end) {}
