package io.offhook.proxy.control;

import io.offhook.packet.IpAddress;

/**
 * An address that is not listened to.
 *
 * @param address the address
 * @param reason the event that filled its points, such as "wrong credentials", or "by command"
 * @param untilMs until when, milliseconds since 1970
 * @param refused the datagrams and connections that were dropped meanwhile
 */
public record LiveBan(IpAddress address, String reason, long untilMs, long refused) {}
