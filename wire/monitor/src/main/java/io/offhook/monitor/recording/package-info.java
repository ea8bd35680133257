/**
 * Recordings of threads: {@link io.offhook.monitor.recording.RecordingWriter} writes what a {@link io.offhook.monitor.ThreadWatch}
 * read to a file of a bounded size, whose older parts become coarser means when it is full, and
 * {@link io.offhook.monitor.recording.RecordingReader} plays it to a {@link io.offhook.monitor.recording.RecordingListener}, with
 * the rows that a watch would have returned. A file that was cut off at any place can be read up to there. The format is described
 * in docs/RECORDINGS.md.
 */
@NullMarked
package io.offhook.monitor.recording;

import org.jspecify.annotations.NullMarked;
