/**
 * The core of a stateful proxy (RFC 3261, 16; RFC 5393, 5626, 5658, 6026), sans I/O. {@link io.offhook.sip.proxy.ProxyCore}
 * validates requests, follows and records routes, forwards, forks and chooses among responses. Where a request goes that
 * carries no route of its own is decided by a {@link io.offhook.sip.proxy.ProxyPolicy}, which answers by the methods of its
 * {@link io.offhook.sip.proxy.ResponseContext}, at once or later. Everything belongs to one thread; relaying to addresses
 * allocates nothing.
 */
@NullMarked
package io.offhook.sip.proxy;

import org.jspecify.annotations.NullMarked;
