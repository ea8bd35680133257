/**
 * Where packets come from, files and interfaces, and the options that say so.
 */
@NullMarked
package io.offhook.cli.input;

import org.jspecify.annotations.NullMarked;
