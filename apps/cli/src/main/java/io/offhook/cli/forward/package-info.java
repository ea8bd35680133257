/**
 * The command {@code forward}.
 */
@NullMarked
package io.offhook.cli.forward;

import org.jspecify.annotations.NullMarked;
