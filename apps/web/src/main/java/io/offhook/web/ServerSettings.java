package io.offhook.web;

import io.offhook.transport.TlsIdentity;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens, and whom it answers.
 *
 * @param listen address and port; port 0 takes a free one
 * @param passwordHashes of passwords and tokens, by scrypt or Argon2; one of them is asked for if there are any
 * @param tls the certificate for HTTPS, or null for HTTP
 * @param isAudioAllowed whether calls can be listened to
 * @param mostUploadBytes of a capture that is dropped on the page
 * @param version of Offhook, as the page shows it
 */
public record ServerSettings(
        InetSocketAddress listen,
        List<String> passwordHashes,
        @Nullable TlsIdentity tls,
        boolean isAudioAllowed,
        long mostUploadBytes,
        String version) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if others than this machine could read without a password
     */
    public ServerSettings {
        passwordHashes = List.copyOf(passwordHashes);
        if (!listen.getAddress().isLoopbackAddress() && passwordHashes.isEmpty()) {
            throw new IllegalArgumentException("listening on "
                    + listen.getAddress().getHostAddress() + ", which others can reach, needs a password");
        }
    }

    /** Whether only this machine can reach the server. */
    public boolean isLoopback() {
        return listen.getAddress().isLoopbackAddress();
    }
}
