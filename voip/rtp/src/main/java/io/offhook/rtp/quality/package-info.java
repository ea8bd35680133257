/**
 * The quality that a listener hears: {@link io.offhook.rtp.quality.EModel} rates a codec or a stream on one of three scales
 * ({@link io.offhook.rtp.quality.MosScale}), with the values of its codec, where they come from, and the reason where there
 * is no rating.
 */
@NullMarked
package io.offhook.rtp.quality;

import org.jspecify.annotations.NullMarked;
