/**
 * The operators in one process, without an engine: {@link io.offhook.cluster.operator.local.LocalRun} routes by keys to several
 * instances of each, keeps event time by heartbeats, and interleaves what different senders send at random, within what Kafka
 * permits. State and messages pass as octets. For tests, for measurements, and for {@code offhook cluster calls --operators}.
 */
@NullMarked
package io.offhook.cluster.operator.local;

import org.jspecify.annotations.NullMarked;
