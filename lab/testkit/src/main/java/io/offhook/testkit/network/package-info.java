/**
 * Isolated networks for tests: namespaces joined by veth pairs, without traffic except that of the test, removed when
 * it ends.
 *
 * <p>{@link io.offhook.testkit.network.Network} is one of them.
 */
@NullMarked
package io.offhook.testkit.network;

import org.jspecify.annotations.NullMarked;
