/**
 * Captures sent again. {@link io.offhook.live.replay.Replay} sends the packets of a source through a sink as recorded,
 * faster, at a rate, or as fast as they go, and reports how late it was at worst ({@link
 * io.offhook.live.replay.ReplayReport}).
 */
@NullMarked
package io.offhook.live.replay;

import org.jspecify.annotations.NullMarked;
