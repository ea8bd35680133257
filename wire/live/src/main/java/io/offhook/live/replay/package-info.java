/**
 * Replays of captures. {@link io.offhook.live.replay.Replay} sends the packets of a source through a sink at the
 * recorded speed, a multiple of it, a constant rate, or as fast as possible, and reports the greatest lateness ({@link
 * io.offhook.live.replay.ReplayReport}).
 */
@NullMarked
package io.offhook.live.replay;

import org.jspecify.annotations.NullMarked;
