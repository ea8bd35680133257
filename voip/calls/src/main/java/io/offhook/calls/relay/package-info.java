/**
 * The same RTP stream at several points of its way: before a relay and behind it. {@link io.offhook.calls.relay.StreamPoint}
 * is a stream as captured at one point, {@link io.offhook.calls.relay.StreamPassage} its way from one point to the next,
 * and {@link io.offhook.calls.relay.SharedMedia} says which dialogs carry one stream. That comes from
 * the figures that are kept of each stream anyway. Where packets were logged, {@link io.offhook.calls.relay.PacketPairs}
 * pairs them, and {@link io.offhook.calls.relay.SegmentFigures} are what happened in between.
 */
@NullMarked
package io.offhook.calls.relay;

import org.jspecify.annotations.NullMarked;
