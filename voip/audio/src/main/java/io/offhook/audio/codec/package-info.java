/**
 * Decoders of speech codecs: {@link io.offhook.audio.codec.Decoders} has one for each codec that it knows by its name in SDP.
 * Each is written after its Recommendation, but for Opus, which is Concentus; samples are those of reference decoders.
 */
@NullMarked
package io.offhook.audio.codec;

import org.jspecify.annotations.NullMarked;
