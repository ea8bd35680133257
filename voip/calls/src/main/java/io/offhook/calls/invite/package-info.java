/**
 * The way of a call's INVITE, hop by hop, as far as it was captured. {@link io.offhook.calls.invite.InviteLegs} takes
 * requests and responses and finds the client transaction of each (RFC 3261, 17.1), {@link
 * io.offhook.calls.invite.InviteLeg}; {@link io.offhook.calls.invite.ResponseContext} decides which final response the
 * caller received (16.7). Knows nothing of dialogs, media or reports.
 */
@NullMarked
package io.offhook.calls.invite;

import org.jspecify.annotations.NullMarked;
