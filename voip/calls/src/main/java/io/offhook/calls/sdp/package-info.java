/**
 * What is kept of a session description (RFC 8866): not its text, only what packets and holds are judged by. {@link
 * io.offhook.calls.sdp.MediaLines} says what the packets for each media line carry, {@link
 * io.offhook.calls.sdp.SessionState} what a side wants of the call as a whole. Who offered and who answered is known
 * outside, in {@code OfferAnswer}.
 */
@NullMarked
package io.offhook.calls.sdp;

import org.jspecify.annotations.NullMarked;
