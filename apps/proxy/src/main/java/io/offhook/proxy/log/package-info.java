/**
 * The log of the proxy: asynchronous, bounded, without a framework. {@link io.offhook.proxy.log.ProxyLog} owns a
 * {@link io.offhook.proxy.log.Log} for each {@link io.offhook.proxy.log.LogCategory}, whose
 * {@link io.offhook.proxy.log.LogLevel} may change while the proxy runs, for a time or for good. A message is built only
 * if its level is on; the thread that logs hands it to a ring and never waits. {@link io.offhook.proxy.log.CallTrace}
 * writes whole messages of calls that match a pattern.
 */
@NullMarked
package io.offhook.proxy.log;

import org.jspecify.annotations.NullMarked;
