package io.offhook.proxy.control;

import io.offhook.packet.IpAddress;

/**
 * An address that is not listened to.
 *
 * @param address the address
 * @param reason why
 * @param untilMs until when, milliseconds since 1970
 * @param refused the messages that were ignored meanwhile
 */
public record LiveBan(IpAddress address, String reason, long untilMs, long refused) {}
