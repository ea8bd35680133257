/**
 * Who may see the page: {@link io.offhook.web.access.PasswordCheck} checks passwords and tokens against their hashes, slowly for
 * those who guess, at once for those who have been right; {@link io.offhook.web.access.PasswordHash} makes and recognizes
 * hashes.
 */
@NullMarked
package io.offhook.web.access;

import org.jspecify.annotations.NullMarked;
