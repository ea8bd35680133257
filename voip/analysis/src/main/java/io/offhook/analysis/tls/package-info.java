/**
 * What the clear part of TLS says, for {@code TlsStreams} of the package above: {@link io.offhook.analysis.tls.TlsHello} reads
 * the first record of a stream, and with it who is the client and which application is meant. Internal; what opens the rest
 * is a {@code TlsOpener}.
 */
@NullMarked
package io.offhook.analysis.tls;

import org.jspecify.annotations.NullMarked;
