/**
 * Health of the members of next-hop groups. Each lane has a {@link io.offhook.proxy.health.GroupWatch}, which asks the members
 * of its share of the groups by OPTIONS and reports what changed to the log; what is known is in {@code routing.GroupHealth}.
 */
@NullMarked
package io.offhook.proxy.health;

import org.jspecify.annotations.NullMarked;
