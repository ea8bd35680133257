/** Traffic with known truth, for tests: calls, media and damage, written as captures. */
@NullMarked
package io.offhook.testkit;

import org.jspecify.annotations.NullMarked;
