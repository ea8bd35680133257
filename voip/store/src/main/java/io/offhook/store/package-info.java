/**
 * Calls and their streams in a DuckDB database, which {@link io.offhook.store.CallStore} writes: tables that docs/SCHEMA.md
 * lists, one writer, whole batches.
 *
 * <pre>
 *  CallReport -> CallStore -> calls, problems, streams, stream_intervals
 * </pre>
 */
@NullMarked
package io.offhook.store;

import org.jspecify.annotations.NullMarked;
