/**
 * The packets of some calls, found again in the files that the calls came from.
 */
@NullMarked
package io.offhook.cli.extract;

import org.jspecify.annotations.NullMarked;
