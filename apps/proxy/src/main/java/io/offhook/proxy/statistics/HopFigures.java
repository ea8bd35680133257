package io.offhook.proxy.statistics;

import io.offhook.packet.Endpoint;

/**
 * How long a next hop takes to answer an INVITE, over the last half minute to minute.
 *
 * @param hop the next hop
 * @param provisional until its first provisional response beyond 100
 * @param answer until its final response
 */
public record HopFigures(Endpoint hop, DelayFigures provisional, DelayFigures answer) {}
