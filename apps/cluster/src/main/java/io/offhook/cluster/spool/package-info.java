/**
 * Events on disk until they are acknowledged: {@link io.offhook.cluster.spool.EventOutbox} numbers events and puts them into a
 * {@link io.offhook.cluster.spool.Spool}; whoever sends them reads them there, in order, and acknowledges what has arrived.
 * What a process that was killed had not acknowledged is read again by the next, as it was. A spool has a limit; what it had to
 * give up, or could not take, is a {@link io.offhook.cluster.spool.SpoolLoss}, which the outbox announces as an event.
 */
@NullMarked
package io.offhook.cluster.spool;

import org.jspecify.annotations.NullMarked;
