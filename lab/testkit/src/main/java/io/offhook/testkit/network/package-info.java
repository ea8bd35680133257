/**
 * Networks of a test's own: namespaces joined by veth pairs, silent but for what the test sends, gone when it ends.
 *
 * <p>{@link io.offhook.testkit.network.Network} is one of them.
 */
@NullMarked
package io.offhook.testkit.network;

import org.jspecify.annotations.NullMarked;
