/**
 * What it costs to write calls and messages into a database: {@link io.offhook.bench.store.StoreWriting} gives them to the writer of a
 * live capture as fast as that takes them, and counts processor time, which a busy machine does not change much.
 */
@NullMarked
package io.offhook.bench.store;

import org.jspecify.annotations.NullMarked;
