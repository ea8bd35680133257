/**
 * The SIP proxy and registrar as a program runs it. {@link io.offhook.proxy.ProxyConfig} is its configuration, read from YAML
 * with every fault and its line; the packages below have the parts: {@code routing} decides where requests go, {@code limit}
 * what is refused.
 */
@NullMarked
package io.offhook.proxy;

import org.jspecify.annotations.NullMarked;
