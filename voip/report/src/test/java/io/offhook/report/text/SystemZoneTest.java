package io.offhook.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemZoneTest {
    @TempDir
    Path folder;

    @Test
    void aLinkToUtcIsUtc() throws IOException {
        assertThat(SystemZone.isUtc(null, link("/usr/share/zoneinfo/Etc/UTC"))).isTrue();
        assertThat(SystemZone.isUtc("", link("/usr/share/zoneinfo/UTC"))).isTrue();
    }

    @Test
    void aLinkToAnotherZoneIsNot() throws IOException {
        assertThat(SystemZone.isUtc(null, link("/usr/share/zoneinfo/Europe/London")))
                .isFalse();
        assertThat(SystemZone.isUtc(null, link("/somewhere/UTC"))).isFalse();
    }

    @Test
    void theVariableGoesBeforeTheLink() throws IOException {
        assertThat(SystemZone.isUtc("Europe/Berlin", link("/usr/share/zoneinfo/Etc/UTC")))
                .isFalse();
        assertThat(SystemZone.isUtc("UTC", link("/usr/share/zoneinfo/Europe/Berlin")))
                .isTrue();
    }

    @Test
    void aCopyOfAZoneAndNoFileAreLeftToJava() throws IOException {
        Path copy = Files.write(folder.resolve("copy"), new byte[] {'T', 'Z', 'i', 'f'});

        assertThat(SystemZone.isUtc(null, copy)).isFalse();
        assertThat(SystemZone.isUtc(null, folder.resolve("none"))).isFalse();
    }

    @Test
    void theZoneHasTheOffsetThatJavaFinds() {
        Instant now = Instant.ofEpochSecond(1_750_000_000);

        assertThat(SystemZone.zone().getRules().getOffset(now))
                .isEqualTo(ZoneId.systemDefault().getRules().getOffset(now));
    }

    private Path link(String target) throws IOException {
        Path link = Files.createTempDirectory(folder, "link").resolve("localtime");
        return Files.createSymbolicLink(link, Path.of(folder + target)); // none leads out of the folder
    }
}
