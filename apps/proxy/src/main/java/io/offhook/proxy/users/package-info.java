/**
 * The users of the proxy: a text file with one user a line and no passwords, which
 * {@link io.offhook.proxy.users.UserFile} reads, changes and reads again when it changed. It is what a
 * {@link io.offhook.sip.digest.DigestVerifier} asks. {@link io.offhook.proxy.users.DigestConfig} says how.
 */
@NullMarked
package io.offhook.proxy.users;

import org.jspecify.annotations.NullMarked;
