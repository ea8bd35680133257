/**
 * Selecting and extracting the packets of calls in a second pass over the files.
 */
@NullMarked
package io.offhook.cli.extract;

import org.jspecify.annotations.NullMarked;
