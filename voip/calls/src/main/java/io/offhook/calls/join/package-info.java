/**
 * Finds the dialogs of one call among several Call-IDs: {@link io.offhook.calls.join.DialogEvidence} keeps what the INVITE
 * of a dialog says about others, {@link io.offhook.calls.join.DialogJoiner} scores pairs of dialogs that share a key and
 * gives each at most one parent. A false join is worse than a missed one: signs that many calls share join nothing by
 * themselves.
 */
@NullMarked
package io.offhook.calls.join;

import org.jspecify.annotations.NullMarked;
