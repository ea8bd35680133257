package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * A payload type that a stream used.
 *
 * @param payloadType 0 to 127
 * @param codec what it means: by signalling, else by the static table; null where neither says
 * @param packets how many packets had it
 */
public record PayloadCount(int payloadType, @Nullable Codec codec, long packets) {}
