/**
 * Digest authentication for SIP (RFC 3261, 22; RFC 7616; RFC 8760), without I/O and without a clock.
 *
 * <p>A server has one {@link io.offhook.sip.digest.DigestVerifier}: it makes the challenges of a 401 or 407, whose nonces
 * need no state, and verifies the credentials of requests against {@link io.offhook.sip.digest.DigestUsers}. A client
 * has one {@link io.offhook.sip.digest.DigestClient} for each account: it takes the challenges of a response and makes
 * the credentials of the next request. Both may be used by several threads.
 */
@NullMarked
package io.offhook.sip.digest;

import org.jspecify.annotations.NullMarked;
