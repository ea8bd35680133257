package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import io.offhook.config.ConfigSchema;
import io.offhook.proxy.users.DigestConfig;
import io.offhook.sip.digest.DigestAlgorithm;
import io.offhook.sip.digest.DigestOffer;
import io.offhook.sip.digest.DigestSettings;
import io.offhook.sip.registrar.RegistrarPolicy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigTest {
    private static <T> T read(ConfigSchema<T> schema, String yaml) {
        return ConfigReader.of(schema).read(yaml, "proxy.yaml");
    }

    @Test
    void withoutKeysEachSectionIsItsDefault() {
        assertThat(read(RegistrarConfig.schema(), "{}")).isEqualTo(RegistrarConfig.DEFAULT);
        assertThat(read(LocationConfig.schema(), "{}")).isEqualTo(LocationConfig.DEFAULT);
        assertThat(read(DigestConfig.schema(), "{}")).isEqualTo(new DigestConfig(null, DigestSettings.DEFAULT, null));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(read(RegistrarConfig.schema(), """
                                min-expires: 30s
                                max-expires: 2h
                                default-expires: 10m
                                most-contacts: 3
                                flow-timer: 0s
                                service-route: ["<sip:a.example.com;lr>"]
                                realm: example
                                register-others: true
                                gruu: false
                                """))
                .isEqualTo(new RegistrarConfig(
                        new RegistrarPolicy(30, 7200, 600, 3, 0, List.of("<sip:a.example.com;lr>")),
                        "example",
                        true,
                        false));
        assertThat(read(LocationConfig.schema(), """
                                directory: /var/lib/offhook
                                sync: always
                                snapshot-after: 1MiB
                                most-addresses: 5
                                most-waiting: 6
                                postgres:
                                  url: jdbc:postgresql://db/x
                                  user: offhook
                                  password-file: /etc/offhook/password
                                  connections: 2
                                  timeout: 1s
                                """))
                .isEqualTo(new LocationConfig(
                        Path.of("/var/lib/offhook"),
                        SyncMode.ALWAYS,
                        1 << 20,
                        5,
                        6,
                        new PostgresConfig(
                                "jdbc:postgresql://db/x", "offhook", Path.of("/etc/offhook/password"), 2, 1000)));
        assertThat(read(DigestConfig.schema(), """
                                file: users
                                algorithms: sha-256
                                nonce-lifetime: 1m
                                most-nonces: 1000
                                bind-to-address: true
                                auth-int: true
                                without-qop: false
                                check-uri: false
                                md5-only: [old]
                                secret-file: secret
                                """))
                .isEqualTo(new DigestConfig(
                        Path.of("users"),
                        new DigestSettings(
                                new DigestOffer(List.of(DigestAlgorithm.SHA_256), List.of("old")),
                                60_000,
                                1000,
                                true,
                                true,
                                false,
                                false),
                        Path.of("secret")));
    }

    @Test
    void theDefaultExpiryStaysWithinTheLimits() {
        assertThat(read(RegistrarConfig.schema(), "max-expires: 2m").policy())
                .extracting(RegistrarPolicy::defaultExpiresS, RegistrarPolicy::maxExpiresS)
                .containsExactly(120, 120);
        assertThat(read(RegistrarConfig.schema(), "{min-expires: 10m, default-expires: 5m}")
                        .policy()
                        .defaultExpiresS())
                .isEqualTo(600);
    }

    @Test
    void faultsNameTheirLines() {
        assertThatThrownBy(() -> read(RegistrarConfig.schema(), "most-contacts: 0\nservice-route: [sip:x]\nmax: 1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("proxy.yaml:1", "proxy.yaml:2", "proxy.yaml:3");
    }
}
