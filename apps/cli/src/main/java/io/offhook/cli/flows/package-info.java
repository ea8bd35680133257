/**
 * The command {@code flows}.
 */
@NullMarked
package io.offhook.cli.flows;

import org.jspecify.annotations.NullMarked;
