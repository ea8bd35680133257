/**
 * The command {@code replay}.
 */
@NullMarked
package io.offhook.cli.replay;

import org.jspecify.annotations.NullMarked;
