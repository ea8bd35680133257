/**
 * Writing SIP messages. {@link io.offhook.sip.edit.MessageEdits} records changes against the bytes of a received message
 * and writes the changed message once, so that all that is not changed leaves as it came (RFC 3261, 16.6, step 1). {@link
 * io.offhook.sip.edit.OctetWriter} is a bounded array of bytes with what SIP messages are made of. Nothing here allocates
 * once its arrays have grown.
 */
@NullMarked
package io.offhook.sip.edit;

import org.jspecify.annotations.NullMarked;
