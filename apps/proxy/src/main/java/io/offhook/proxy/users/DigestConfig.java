package io.offhook.proxy.users;

import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.sip.digest.DigestAlgorithm;
import io.offhook.sip.digest.DigestOffer;
import io.offhook.sip.digest.DigestSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who may register and call, and how they prove it.
 *
 * @param users the user file; null if nobody is asked for a password
 * @param settings what challenges offer and credentials may be
 * @param secretFile a file with a secret that several processes, or one after its restart, share; null for a random one
 */
public record DigestConfig(
        @Nullable Path users,
        DigestSettings settings,
        @Nullable Path secretFile) {
    private static final int SECRET_BYTES = 32;

    private static final ConfigKey<Path> FILE = ConfigKey.optional(
            "file",
            ConfigTypes.scalar("file", Path::of),
            "The user file, as `offhook proxy users add` writes it; read again when it changes. Without it, nobody is asked"
                    + " for a password.");
    private static final ConfigKey<Offer> ALGORITHMS = ConfigKey.of(
            "algorithms",
            ConfigTypes.oneOf(Offer.NAMES),
            "sha-256-and-md5",
            "What challenges offer, the first one first. Phones are to pass over what they do not know; for those that give"
                    + " up at it, see `md5-only`.");
    private static final ConfigKey<List<String>> MD5_ONLY = ConfigKey.optional(
            "md5-only",
            ConfigTypes.list(ConfigTypes.text(100), 200),
            "What User-Agents begin with, in any case, that are offered MD5 alone, because they give up at SHA-256 instead"
                    + " of passing over it; default baresip before 3.11. No effect where MD5 is not offered.");
    private static final ConfigKey<Long> LIFETIME = ConfigKey.of(
            "nonce-lifetime",
            ConfigTypes.durationNs(1_000_000_000L, 86_400_000_000_000L),
            "5m",
            "How long a phone can use a nonce before it has to answer another one.");
    private static final ConfigKey<Integer> MOST_NONCES = ConfigKey.of(
            "most-nonces",
            ConfigTypes.integer(16, 10_000_000),
            "100000",
            "The most nonces whose uses are remembered; above, nonces live shorter.");
    private static final ConfigKey<Boolean> BIND = ConfigKey.of(
            "bind-to-address",
            ConfigTypes.bool(),
            "false",
            "Refuses a nonce that comes from another IP address than it was sent to.");
    private static final ConfigKey<Boolean> AUTH_INT =
            ConfigKey.of("auth-int", ConfigTypes.bool(), "false", "Offers `auth-int` too, which protects the body.");
    private static final ConfigKey<Boolean> WITHOUT_QOP = ConfigKey.of(
            "without-qop",
            ConfigTypes.bool(),
            "true",
            "Accepts responses without `qop`, of phones before RFC 2617: one for each nonce.");
    private static final ConfigKey<Boolean> CHECK_URI = ConfigKey.of(
            "check-uri",
            ConfigTypes.bool(),
            "true",
            "Answers 400 if the URI of the credentials is not that of the request. To be switched off where something in"
                    + " front of the proxy changes the URI.");
    private static final ConfigKey<Path> SECRET_FILE = ConfigKey.optional(
            "secret-file",
            ConfigTypes.scalar("file", Path::of),
            "A file with at least 16 random bytes, from which nonces, temporary GRUUs and the signatures of Record-Route are"
                    + " made; proxies that serve the same calls need the same. Without it, each start makes its own, and"
                    + " phones answer one more challenge after a restart.");

    private static final ConfigSchema<DigestConfig> SCHEMA = ConfigSchema.of(
            "users",
            "Who may register and call, by digest authentication.",
            values -> {
                List<String> md5Only = values.find(MD5_ONLY);
                return new DigestConfig(
                        values.find(FILE),
                        new DigestSettings(
                                new DigestOffer(
                                        values.get(ALGORITHMS).algorithms(),
                                        md5Only == null ? DigestOffer.KNOWN_MD5_ONLY : md5Only),
                                values.get(LIFETIME) / 1_000_000,
                                values.get(MOST_NONCES),
                                values.get(BIND),
                                values.get(AUTH_INT),
                                values.get(WITHOUT_QOP),
                                values.get(CHECK_URI)),
                        values.find(SECRET_FILE));
            },
            FILE,
            ALGORITHMS,
            MD5_ONLY,
            LIFETIME,
            MOST_NONCES,
            BIND,
            AUTH_INT,
            WITHOUT_QOP,
            CHECK_URI,
            SECRET_FILE);

    /** What a user file can verify: it has no keys of SHA-512-256. */
    private record Offer(List<DigestAlgorithm> algorithms) {
        private static final Map<String, Offer> NAMES = names();

        private static Map<String, Offer> names() {
            Map<String, Offer> names = new LinkedHashMap<>();
            names.put("sha-256-and-md5", new Offer(List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5)));
            names.put("sha-256", new Offer(List.of(DigestAlgorithm.SHA_256)));
            names.put("md5", new Offer(List.of(DigestAlgorithm.MD5)));
            names.put("md5-and-sha-256", new Offer(List.of(DigestAlgorithm.MD5, DigestAlgorithm.SHA_256)));
            return names;
        }
    }

    /** The keys of the section, always the same ones. */
    public static ConfigSchema<DigestConfig> schema() {
        return SCHEMA;
    }

    /**
     * The secret for a purpose, so that what one purpose shows says nothing about another: that of the file, or a random
     * one.
     *
     * @param purpose such as "nonce" or "gruu"
     * @throws IOException if the file cannot be read or holds too little
     */
    public byte[] secret(String purpose) throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        if (secretFile == null) {
            new SecureRandom().nextBytes(secret);
            return secret;
        }
        byte[] shared = Files.readAllBytes(secretFile);
        if (shared.length < 16) {
            throw new IOException(secretFile + " has " + shared.length
                    + " bytes; a secret needs 16 or more: head -c 32 /dev/urandom > " + secretFile);
        }
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            hash.update(shared);
            return hash.digest(purpose.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) { // in every JDK
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}
