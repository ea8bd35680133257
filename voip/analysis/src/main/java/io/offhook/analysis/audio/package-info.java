/**
 * What the audio of calls says. An analysis keeps no more than the first octets of a payload; {@link
 * io.offhook.analysis.audio.AudioListener} reads the same packets once more and finds the keys that were pressed in the
 * audio of its streams.
 */
@NullMarked
package io.offhook.analysis.audio;

import org.jspecify.annotations.NullMarked;
