/**
 * The packets of calls kept on disk while they are captured: {@link io.offhook.analysis.kept.KeptPackets} is plugged into the
 * pipeline of a live capture, copies what belongs to calls into segments of pcapng, each with an index, deletes the oldest
 * within a limit, and gives the packets of one call back as a source of packets, described by a
 * {@link io.offhook.analysis.kept.KeptCall}.
 *
 * <pre>
 * lanes: FrameKeys (what each frame belongs to) -> BlockQueue (a copy) -> thread: SegmentWriter -> segment, index
 * KeptCall -> SegmentIndex of each segment in its time -> KeptSource -> any analysis
 * </pre>
 */
@NullMarked
package io.offhook.analysis.kept;

import org.jspecify.annotations.NullMarked;
