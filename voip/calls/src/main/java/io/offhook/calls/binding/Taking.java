package io.offhook.calls.binding;

/**
 * SDP of another call names a port that a call had before.
 *
 * @param ofCaller whether the caller of the call that had it received there, else the callee
 * @param by hash of the other one's Call-ID
 * @param firstSeenNs the first message of the other one, nanoseconds since the epoch
 * @param fromNs when its SDP was seen
 */
public record Taking(boolean ofCaller, long by, long firstSeenNs, long fromNs) {}
