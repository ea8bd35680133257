/**
 * What the proxy does with each request beyond the RFC's rules. {@link io.offhook.proxy.policy.LanePolicy} puts the parts in
 * their order: overload, limits, credentials, the registrar, the routing rules, the location service, relaying. What may take
 * time is done by other threads, and comes back through the lane's mailbox.
 */
@NullMarked
package io.offhook.proxy.policy;

import org.jspecify.annotations.NullMarked;
