/**
 * What the proxy refuses before it works for anyone, so that one source, one user or a flood cannot take the service from
 * the others. {@link io.offhook.proxy.limit.RequestLimits} holds rates and concurrent calls by source, user and trunk,
 * {@link io.offhook.proxy.limit.BanTable} drops sources that scan, guess or flood, and {@link
 * io.offhook.proxy.limit.OverloadGate} refuses new requests when messages wait too long. Time is a parameter everywhere;
 * tables have a fixed size and allocate nothing while they work.
 */
@NullMarked
package io.offhook.proxy.limit;

import org.jspecify.annotations.NullMarked;
