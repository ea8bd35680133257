package io.offhook.proxy.routing;

/**
 * What became of the requests about which a {@link CallRouter} was asked.
 *
 * @param answered decided in time
 * @param late not answered before the deadline
 * @param failed ended by an exception
 * @param empty answered with null
 * @param refused not asked, because as many as are allowed were in the router already
 */
public record RouterCounts(long answered, long late, long failed, long empty, long refused) {}
