/**
 * Opens what is encrypted in captures, with keys that somebody has: SIP over TLS ({@link io.offhook.decrypt.DecryptionKeys}), and
 * SRTP by {@link io.offhook.decrypt.MediaKeys}, which finds the keys of each stream.
 *
 * <pre>
 *  key log, pcapng secrets -> KeyLog -> DecryptionKeys -> TlsShard -> TlsConnection (analysis.TlsOpener) -> SIP
 *                                  \
 *  SDP, key file, DTLS hellos ------> MediaKeys -> SrtpOpener (rtp.PayloadOpener) -> RTP
 * </pre>
 *
 * <p>Keys are kept in native memory that is overwritten before it is freed. The ciphers are the JDK's.
 */
@NullMarked
package io.offhook.decrypt;

import org.jspecify.annotations.NullMarked;
