/**
 * The audio of a call as the far end heard it: {@link io.offhook.audio.CallAudio} reads the capture of a call once more, puts
 * its streams through the jitter buffer of the verdicts, decodes them, and lays the caller's and the callee's on one axis of
 * time. {@link io.offhook.audio.AudioSink} receives the samples: {@link io.offhook.audio.WavWriter} writes them, {@link
 * io.offhook.audio.WaveformBuilder} makes a picture of them. {@link io.offhook.audio.AudioMark} says where audio is missing,
 * and why.
 */
@NullMarked
package io.offhook.audio;

import org.jspecify.annotations.NullMarked;
