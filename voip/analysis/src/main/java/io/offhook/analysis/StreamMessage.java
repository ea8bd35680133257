package io.offhook.analysis;

/**
 * A SIP message that was read from a stream. The bytes are borrowed until it was taken.
 *
 * @param octets where its bytes are
 * @param offset of its first byte
 * @param length bytes
 * @param timestampNs of the packet that completed it, nanoseconds since the epoch
 * @param frameNumber of that packet, 1-based
 * @param start the position in the stream that the bytes which carried it begin at: the bytes fed to the reader, gaps
 *     included, count from 0
 * @param end the position behind them
 */
@SuppressWarnings("ArrayRecordComponent") // borrowed bytes, never compared
public record StreamMessage(
        byte[] octets, int offset, int length, long timestampNs, long frameNumber, long start, long end) {}
