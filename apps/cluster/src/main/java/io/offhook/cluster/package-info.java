/**
 * Where {@code offhook probe} and {@code offhook cluster} begin: {@link io.offhook.cluster.Main} runs the command that its first
 * argument names, with the command line, terminal and exit codes of all other commands of {@code offhook}.
 */
@NullMarked
package io.offhook.cluster;

import org.jspecify.annotations.NullMarked;
