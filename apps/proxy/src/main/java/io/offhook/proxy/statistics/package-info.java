/**
 * What a proxy counts while it runs. Each lane writes to its own {@link io.offhook.proxy.statistics.LaneStatistics},
 * without a lock, a contended word or an allocation per message; {@link io.offhook.proxy.statistics.ProxyStatistics} adds
 * them up for whoever asks. {@link io.offhook.proxy.statistics.MetricsServer} shows them to Prometheus,
 * {@link io.offhook.proxy.statistics.CallRecords} writes a line for each call that ended.
 */
@NullMarked
package io.offhook.proxy.statistics;

import org.jspecify.annotations.NullMarked;
