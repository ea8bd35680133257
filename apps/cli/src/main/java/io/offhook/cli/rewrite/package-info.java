/**
 * The commands {@code convert}, {@code merge} and {@code split}.
 */
@NullMarked
package io.offhook.cli.rewrite;

import org.jspecify.annotations.NullMarked;
