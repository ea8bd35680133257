/**
 * What the server measures, for Prometheus: {@link io.offhook.web.metrics.CallMetrics} counts calls once each, when they ended,
 * while they are analysed, so that counters never go back when rows leave the database; {@code ServedMetric} lists all metrics
 * (docs/METRICS.md is made of it), and {@link io.offhook.web.metrics.MetricsResource} answers {@code /metrics}.
 */
@NullMarked
package io.offhook.web.metrics;

import org.jspecify.annotations.NullMarked;
