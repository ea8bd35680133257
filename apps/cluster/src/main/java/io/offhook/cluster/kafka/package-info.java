/**
 * From a spool to Apache Kafka: a {@link io.offhook.cluster.kafka.SpoolSender} reads events, sends each to the partition that it
 * was numbered for, and acknowledges what Kafka has acknowledged; {@link io.offhook.cluster.kafka.ProducerSettings} are what order
 * and completeness depend on, and what a user may add to them.
 */
@NullMarked
package io.offhook.cluster.kafka;

import org.jspecify.annotations.NullMarked;
