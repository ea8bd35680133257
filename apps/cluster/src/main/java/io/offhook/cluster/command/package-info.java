/**
 * The commands {@code offhook probe}, which writes events of captures or of live traffic to a file, and {@code offhook cluster},
 * which makes calls of such files or shows the events in them. docs/CLUSTER.md says how they are used. Options are those of {@code
 * offhook calls} where they mean the same.
 */
@NullMarked
package io.offhook.cluster.command;

import org.jspecify.annotations.NullMarked;
