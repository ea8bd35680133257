package io.offhook.cli.serve;

import io.offhook.cli.input.AnalysisSettings;
import io.offhook.config.ConfigKey;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.config.ConfigTypes;
import io.offhook.config.ConfigValues;
import io.offhook.store.RetentionSettings;
import io.offhook.transport.TlsIdentity;
import io.offhook.web.access.PasswordHash;
import io.offhook.web.alert.AlertConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@code offhook serve --config}. docs/SERVE.md has the tables of keys, which are made from the schema. What the
 * command line says wins.
 *
 * @param listen where the page is, or null
 * @param passwords hashes of passwords and tokens
 * @param tls the certificate of the page, or null
 * @param isAudioAllowed whether calls can be listened to
 * @param mostUploadBytes of a capture that is dropped on the page
 * @param analysis how calls are judged
 * @param alerts what is watched, and who is notified
 * @param retention how long calls are kept
 * @param packets how packets are kept, or null
 */
record ServeConfig(
        @Nullable String listen,
        List<String> passwords,
        @Nullable TlsIdentity tls,
        boolean isAudioAllowed,
        long mostUploadBytes,
        AnalysisSettings analysis,
        AlertConfig alerts,
        RetentionSettings retention,
        @Nullable PacketsConfig packets) {
    private static final int MOST_PASSWORDS = 32;

    private static final ConfigKey<String> LISTEN = ConfigKey.optional(
            "listen",
            ConfigTypes.text(256),
            "Where the page is: `ADDRESS:PORT`, by default `127.0.0.1:8080`; `--listen` overrides it. An address that others"
                    + " can reach needs `passwords`.");
    private static final ConfigKey<List<String>> PASSWORDS = ConfigKey.repeated(
            "passwords",
            ConfigTypes.scalar("hash of a password", ServeConfig::hash),
            MOST_PASSWORDS,
            "Hashes of passwords and tokens, by scrypt or Argon2, as `offhook serve --hash-password` prints them. A browser"
                    + " asks for one of them, with any user name; programs send it as a bearer token.");
    private static final ConfigKey<String> CERTIFICATE = ConfigKey.required(
            "certificate",
            ConfigTypes.text(4096),
            "The file with the certificate, and those that vouch for it, in PEM.");
    private static final ConfigKey<String> KEY =
            ConfigKey.required("key", ConfigTypes.text(4096), "The file with its private key, in PEM.");
    private static final ConfigSchema<TlsFiles> TLS =
            ConfigSchema.of("tls", "The page by HTTPS.", ServeConfig::files, CERTIFICATE, KEY);
    private static final ConfigKey<TlsFiles> TLS_KEY = ConfigKey.optional("tls", TLS, "The page by HTTPS.");
    private static final ConfigKey<Boolean> AUDIO = ConfigKey.of(
            "allow-audio",
            ConfigTypes.bool(),
            "false",
            "Whether calls can be listened to, where that is lawful; `--allow-audio` allows it, too.");
    private static final ConfigKey<Long> UPLOAD = ConfigKey.of(
            "upload-limit",
            ConfigTypes.bytes(1 << 20, 1L << 40),
            "1GiB",
            "The largest capture that can be dropped on the page; eight of them are kept at a time.");
    private static final ConfigKey<AnalysisSettings> ANALYSIS = ConfigKey.section(
            "analysis", AnalysisSettings.SCHEMA, "How calls are judged: the keys of [SETTINGS.md](SETTINGS.md).");

    private static final ConfigKey<AlertConfig> ALERTS =
            ConfigKey.section("alerts", AlertConfig.schema(), "Rules that watch the calls, and whom they notify.");

    private static final ConfigKey<RetentionSettings> RETENTION = ConfigKey.section(
            "retention",
            RetentionConfig.SCHEMA,
            "How long calls are kept, and where: by default always, in the database.");
    private static final ConfigKey<PacketsConfig> PACKETS = ConfigKey.optional(
            "packets", PacketsConfig.SCHEMA, "Keeps the packets of live calls; without it, none are.");

    /** The keys of the file. */
    static final ConfigSchema<ServeConfig> SCHEMA = ConfigSchema.of(
            "serve",
            "The page.",
            ServeConfig::of,
            LISTEN,
            PASSWORDS,
            TLS_KEY,
            AUDIO,
            UPLOAD,
            ANALYSIS,
            ALERTS,
            RETENTION,
            PACKETS);

    /** Both files of {@code tls}, read. */
    private record TlsFiles(@Nullable TlsIdentity identity) {}

    /**
     * Reads a file.
     *
     * @throws io.offhook.config.ConfigException with all faults, each with its line
     */
    static ServeConfig read(Path file) {
        return ConfigReader.of(SCHEMA).read(file);
    }

    /** What holds without a file. */
    static ServeConfig defaults() {
        return ConfigReader.of(SCHEMA).read("{}", "defaults");
    }

    private static ServeConfig of(ConfigValues values) {
        TlsFiles files = values.find(TLS_KEY);
        return new ServeConfig(
                values.find(LISTEN),
                values.get(PASSWORDS),
                files == null ? null : files.identity(),
                values.get(AUDIO),
                values.get(UPLOAD),
                values.get(ANALYSIS),
                values.get(ALERTS),
                values.get(RETENTION),
                values.find(PACKETS));
    }

    private static TlsFiles files(ConfigValues values) {
        try {
            return new TlsFiles(TlsIdentity.read(Path.of(values.get(CERTIFICATE)), Path.of(values.get(KEY))));
        } catch (IOException e) {
            values.fault(CERTIFICATE, "cannot be used: " + e.getMessage());
            return new TlsFiles(null);
        }
    }

    private static String hash(String text) {
        if (!PasswordHash.isHash(text)) {
            throw new IllegalArgumentException("is no hash of a password: offhook serve --hash-password prints one");
        }
        return text;
    }
}
