/**
 * The command {@code proxy}, which runs the SIP proxy and registrar, and the commands that look into one at work. {@link
 * io.offhook.cli.proxy.ProxyCommand} reads the configuration and starts it.
 */
@NullMarked
package io.offhook.cli.proxy;

import org.jspecify.annotations.NullMarked;
