/** {@code offhook audio}: writes the audio of a call to a file. The decoders and the jitter buffer are in other modules. */
@NullMarked
package io.offhook.cli.audio;

import org.jspecify.annotations.NullMarked;
