package io.offhook.sip.digest;

import org.jspecify.annotations.Nullable;

/** The users that a {@link DigestVerifier} knows: their keys, never their passwords. Called by many threads; must not block. */
@FunctionalInterface
public interface DigestUsers {
    /**
     * The key of a user: {@link DigestAlgorithm#ha1}.
     *
     * @param username as the client wrote it, without quotes and escapes
     * @param realm the realm of the challenge
     * @param algorithm MD5, SHA_256 or SHA_512_256
     * @return null if there is no such user, or no key for this algorithm; must not be modified
     */
    byte @Nullable [] ha1(String username, String realm, DigestAlgorithm algorithm);
}
