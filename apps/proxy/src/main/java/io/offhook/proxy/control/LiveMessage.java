package io.offhook.proxy.control;

import io.offhook.packet.Endpoint;

/**
 * A message of a call.
 *
 * @param epochUs when it came or went, microseconds since 1970
 * @param isSent whether the proxy sent it
 * @param remote the other end
 * @param text its first line
 * @param isRepeated whether it was seen before: a retransmission
 */
public record LiveMessage(long epochUs, boolean isSent, Endpoint remote, String text, boolean isRepeated) {}
