package io.offhook.cluster.operator;

import io.offhook.cluster.message.StreamName;
import io.offhook.packet.Endpoint;

/**
 * What the state of an operator belongs to.
 *
 * @param high 64 bits
 * @param low 64 bits
 * @param number 32 bits
 */
public record OperatorKey(long high, long low, int number) {
    /** Of a call. */
    public static OperatorKey ofCall(long callIdHash) {
        return new OperatorKey(callIdHash, 0, 0);
    }

    /** Of an address and port. */
    public static OperatorKey of(Endpoint endpoint) {
        return new OperatorKey(endpoint.high(), endpoint.low(), endpoint.port());
    }

    /** Of a stream; incarnations of probes are random, so the name of the probe is not needed. */
    public static OperatorKey of(StreamName stream) {
        return new OperatorKey(
                stream.stream().hash(), stream.incarnation(), stream.stream().ordinal());
    }

    /** The instance of an operator that has a key, 0 to {@code instances - 1}. */
    public int instance(int instances) {
        long mixed = (high * 31 + low) * 0x9e37_79b9_7f4a_7c15L + number * 0xbf58_476d_1ce4_e5b9L;
        return (int) Math.unsignedMultiplyHigh(mixed ^ mixed >>> 29, instances);
    }
}
