/** The quality that a listener hears: the E-model on three scales, with the values of codecs and where they come from. */
@NullMarked
package io.offhook.rtp.quality;

import org.jspecify.annotations.NullMarked;
