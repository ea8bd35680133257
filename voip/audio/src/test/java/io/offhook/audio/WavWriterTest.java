package io.offhook.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WavWriterTest {
    @TempDir
    private Path folder;

    private static void write(WavWriter wav) throws IOException {
        wav.samples(new short[] {1, -2, 9}, new short[] {300, -300, 9}, 2);
        wav.silence(3);
        wav.samples(new short[] {7}, new short[] {8}, 1);
    }

    @Test
    void theHeaderHasFormatAndLengths() throws IOException {
        Path file = folder.resolve("a.wav");
        try (WavWriter wav = WavWriter.create(file, 16_000, 6)) {
            write(wav);
        }
        ByteBuffer octets = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(octets.capacity()).isEqualTo(44 + 24).isEqualTo((int) WavWriter.bytes(6));
        assertThat(octets.getInt(0)).isEqualTo(0x46464952);
        assertThat(octets.getInt(4)).isEqualTo(36 + 24);
        assertThat(octets.getInt(8)).isEqualTo(0x45564157);
        assertThat(octets.getShort(20)).isEqualTo((short) 1);
        assertThat(octets.getShort(22)).isEqualTo((short) 2);
        assertThat(octets.getInt(24)).isEqualTo(16_000);
        assertThat(octets.getInt(28)).isEqualTo(64_000);
        assertThat(octets.getShort(32)).isEqualTo((short) 4);
        assertThat(octets.getShort(34)).isEqualTo((short) 16);
        assertThat(octets.getInt(40)).isEqualTo(24);
        short[] samples = new short[12];
        octets.position(44).asShortBuffer().get(samples);
        assertThat(samples)
                .containsExactly(
                        (short) 1,
                        (short) 300,
                        (short) -2,
                        (short) -300,
                        (short) 0,
                        (short) 0,
                        (short) 0,
                        (short) 0,
                        (short) 0,
                        (short) 0,
                        (short) 7,
                        (short) 8);
    }

    @Test
    void aStreamHasTheSameOctetsAsAFile() throws IOException {
        Path file = folder.resolve("a.wav");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (WavWriter one = WavWriter.create(file, 8000, 6);
                WavWriter other = WavWriter.to(stream, 8000, 6)) {
            write(one);
            write(other);
        }
        assertThat(stream.toByteArray()).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void whatIsMissingAtTheEndIsSilence() throws IOException {
        Path file = folder.resolve("a.wav");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (WavWriter one = WavWriter.create(file, 8000, 9000);
                WavWriter other = WavWriter.to(stream, 8000, 9000)) {
            write(one);
            write(other);
        }
        assertThat(file).hasSize(44 + 36_000);
        assertThat(stream.toByteArray()).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void aFileThatExistedIsReplaced() throws IOException {
        Path file = Files.write(folder.resolve("a.wav"), new byte[100_000]);
        try (WavWriter wav = WavWriter.create(file, 8000, 6)) {
            write(wav);
        }
        assertThat(file).hasSize(68);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyItsOwnerCanReadIt() throws IOException {
        Path file = folder.resolve("a.wav");
        WavWriter.create(file, 8000, 0).close();
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    }

    @Test
    void moreThanTheHeaderCanCountIsRefused() throws IOException {
        Path file = folder.resolve("a.wav");
        assertThatThrownBy(() -> WavWriter.create(file, 8000, WavWriter.MOST_FRAMES + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1073741812");
        assertThat(file).doesNotExist();
        try (WavWriter wav = WavWriter.create(file, 8000, 1)) {
            assertThatThrownBy(() -> wav.silence(2)).isInstanceOf(IllegalStateException.class);
        }
    }
}
