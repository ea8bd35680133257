package io.offhook.library;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFile;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.CaptureMemory;
import io.offhook.pcap.file.CaptureRewrite;
import io.offhook.pcap.file.PcapNgBlocks;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Reads captures every way there is: mapped, piped, compressed, merged, into memory, block by block and rewritten. */
final class EveryReader {
    private static final long MOST_MEMORY = 256L << 20;
    private static final int MOST_DAMAGED_BYTES = 48 << 10;

    private final FrameBatch batch = new FrameBatch(500);
    private final Tally tally;

    EveryReader(Tally tally) {
        this.tally = tally;
    }

    /** Takes a batch of frames, which are gone afterwards. */
    @FunctionalInterface
    interface Frames {
        void batch(FrameBatch batch);
    }

    void sound(Path file, byte[] bytes, Frames frames) throws IOException {
        String name = file.toString();
        try (CaptureFileSource source = CaptureFiles.open(name)) {
            drain(source, frames);
            for (CaptureFile read : source.files()) {
                tally.add(read.format() == null ? "no captures" : "captures", 1);
            }
        }
        try (CaptureFileSource twice = CaptureFiles.open(List.of(name, "-"), new ByteArrayInputStream(bytes))) {
            drain(twice, _ -> {});
        }
        try (CaptureMemory memory = CaptureMemory.load(List.of(name), MOST_MEMORY)) {
            drain(memory.replay(), _ -> {});
        }
        try (PcapNgBlocks blocks = PcapNgBlocks.open(name)) {
            while (blocks.next()) {
                tally.add("blocks", blocks.block().toString().isEmpty() ? 0 : 1);
            }
            tally.add("faults", blocks.faults().size());
        }
    }

    /** Damaged copies, as a pipe: as they are, and within a compression that is sound, or is damaged itself. */
    void damaged(byte[] sound, Random random, int copies, boolean withZstd, Frames frames) throws IOException {
        byte[] head = Arrays.copyOf(sound, Math.min(sound.length, MOST_DAMAGED_BYTES));
        byte[] gzip = compressed(CaptureCompression.GZIP, head);
        for (int i = 0; i < copies; i++) {
            byte[] damaged = Damage.of(head, random);
            piped(damaged, frames);
            rewritten(damaged);
            piped(Damage.of(gzip, random), _ -> {});
            piped(compressed(CaptureCompression.GZIP, damaged), _ -> {});
            if (withZstd) {
                byte[] zstd = compressed(CaptureCompression.ZSTD, damaged);
                piped(zstd, _ -> {});
                piped(Damage.of(zstd, random), _ -> {});
            }
        }
    }

    private void piped(byte[] bytes, Frames frames) {
        try (CaptureFileSource source = CaptureFiles.open(List.of("-"), new ByteArrayInputStream(bytes))) {
            drain(source, frames);
        }
    }

    private void rewritten(byte[] bytes) {
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of("-"), new ByteArrayInputStream(bytes))) {
            rewrite.to(Channels.newChannel(OutputStream.nullOutputStream()));
        }
    }

    private void drain(PacketSource source, Frames frames) {
        try (source) {
            while (source.next(batch)) {
                tally.add("frames read", batch.count());
                frames.batch(batch);
            }
            tally.add("faults", source.faults().size() + source.losses().size());
            tally.add("interfaces", source.interfaces().toString().isEmpty() ? 0 : 1);
        }
    }

    private static byte[] compressed(CaptureCompression compression, byte[] bytes) throws IOException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        try (WritableByteChannel channel = compression.compress(Channels.newChannel(target))) {
            channel.write(ByteBuffer.wrap(bytes));
        }
        return target.toByteArray();
    }

    static byte[] bytesOf(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
