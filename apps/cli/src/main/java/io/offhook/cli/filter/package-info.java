/**
 * The commands {@code filter} and {@code match}.
 */
@NullMarked
package io.offhook.cli.filter;

import org.jspecify.annotations.NullMarked;
