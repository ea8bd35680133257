/**
 * Events in files: each preceded by its length as a varint (docs/EVENTS.md). {@link io.offhook.cluster.file.EventFileWriter} is
 * where a probe puts them if there is no Kafka; {@link io.offhook.cluster.file.EventFile} reads what any probe has written, up to
 * the first damage, and counts what it cannot use. {@link io.offhook.cluster.file.Sequences} recognises repeats and gaps.
 */
@NullMarked
package io.offhook.cluster.file;

import org.jspecify.annotations.NullMarked;
