package io.offhook.proxy.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import io.offhook.hep.HepTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MirrorConfigTest {
    private static MirrorConfig read(String yaml) {
        return ConfigReader.of(MirrorConfig.schema()).read(yaml, "proxy.yaml");
    }

    @Test
    void mirrorsNothingUnlessThereIsACollector() throws IOException {
        assertThat(read("").open()).isNull();
    }

    @Test
    void readsTheCollectorAndWhoWeAre() {
        MirrorConfig config = read("{host: hep.example, port: 9061, transport: tls, capture-id: 7, node-name: n}");

        assertThat(config.target()).isEqualTo(new HepTarget("hep.example", 9061, HepTarget.HepTransport.TLS));
        assertThat(config.captureId()).isEqualTo(7);
        assertThat(config.nodeName()).isEqualTo("n");
        assertThat(config.queueBytes()).isEqualTo(4 << 20);
        assertThatThrownBy(() -> read("{host: a, transport: pigeon}")).isInstanceOf(ConfigException.class);
    }

    @Test
    void theKeyIsInAFileOfItsOwn(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "k".repeat(256) + "\n");
        MirrorConfig config = read("{host: 127.0.0.1, auth-key-file: " + file + "}");

        assertThat(config.toString()).doesNotContain("kkk");
        assertThatThrownBy(config::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ": the first line has 256 characters");
        Files.delete(file);
        assertThatThrownBy(config::open).isInstanceOf(NoSuchFileException.class);
    }
}
