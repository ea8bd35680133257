/**
 * The parts of the proxy's configuration that belong to no other package: {@link io.offhook.proxy.config.ListenerConfig}
 * where it listens, {@link io.offhook.proxy.config.SipConfig} how it handles requests, {@link
 * io.offhook.proxy.config.OperationConfig} how it is run and looked into. Records and their keys only: {@code
 * io.offhook.proxy.ProxyConfig} composes them with those of other packages, which may use these records without a cycle.
 */
@NullMarked
package io.offhook.proxy.config;

import org.jspecify.annotations.NullMarked;
