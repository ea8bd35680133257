/**
 * What Prometheus reads: {@link io.offhook.metrics.MetricsText} writes its text format, version 0.0.4. A program lists its
 * metrics in an enum that implements {@link io.offhook.metrics.Metric}, from which the table in its documentation is made too,
 * and keeps {@link io.offhook.metrics.MetricHistogram}s where it measures.
 */
@NullMarked
package io.offhook.metrics;

import org.jspecify.annotations.NullMarked;
