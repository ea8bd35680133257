/**
 * SIP transactions (RFC 3261, 17, and RFC 6026), sans I/O: {@link io.offhook.sip.transaction.TransactionLayer} is given
 * messages, time and transport errors, and hands messages to a {@link io.offhook.sip.transaction.MessageOutput} and events
 * to a {@link io.offhook.sip.transaction.TransactionUser}. Everything belongs to one thread. Transactions and buffers are
 * reused, so that a steady load allocates nothing; each table has a limit and a counter.
 */
@NullMarked
package io.offhook.sip.transaction;

import org.jspecify.annotations.NullMarked;
