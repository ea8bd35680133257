package io.offhook.rtp;

import org.jspecify.annotations.Nullable;

/**
 * A payload type that a stream used.
 *
 * @param payloadType 0 to 127
 * @param codec the codec by signalling, otherwise by the static table; null if neither has it
 * @param packets the number of packets of this type
 */
public record PayloadCount(int payloadType, @Nullable Codec codec, long packets) {}
