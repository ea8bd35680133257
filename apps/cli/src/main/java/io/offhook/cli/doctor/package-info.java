/**
 * The command {@code doctor}.
 */
@NullMarked
package io.offhook.cli.doctor;

import org.jspecify.annotations.NullMarked;
