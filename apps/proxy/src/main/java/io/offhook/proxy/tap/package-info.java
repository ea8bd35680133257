/**
 * The one place where messages can be watched, whatever they are carried by: {@link io.offhook.proxy.tap.MessageTap} is the
 * observer of a lane's transactions and shows each message, as a {@link io.offhook.proxy.tap.SeenMessage}, to those of its
 * {@link io.offhook.proxy.tap.MessageWatcher}s that are on. The HEP mirror, the trace and the messages of calls are watchers.
 */
@NullMarked
package io.offhook.proxy.tap;

import org.jspecify.annotations.NullMarked;
