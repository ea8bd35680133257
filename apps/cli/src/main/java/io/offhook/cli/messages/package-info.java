/**
 * The command {@code messages}.
 */
@NullMarked
package io.offhook.cli.messages;

import org.jspecify.annotations.NullMarked;
