/**
 * The commands {@code capture} and {@code interfaces}.
 */
@NullMarked
package io.offhook.cli.capture;

import org.jspecify.annotations.NullMarked;
