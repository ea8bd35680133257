/** The offhook command. */
@NullMarked
package io.offhook.cli;

import org.jspecify.annotations.NullMarked;
