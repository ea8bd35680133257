package io.offhook.cli.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** What is in files that convert, merge and split have written. */
final class WrittenFiles {
    private WrittenFiles() {}

    /** A packet of a file: its time, and its bytes as hexadecimal digits. */
    record Packet(long timestampNs, int wireLength, String bytes) {}

    static List<Packet> packets(Path file) {
        List<Packet> packets = new ArrayList<>();
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(500);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    byte[] bytes = new byte[batch.capturedLength(i)];
                    for (int b = 0; b < bytes.length; b++) {
                        bytes[b] = batch.segmentOf(i).get(ValueLayout.JAVA_BYTE, batch.offset(i) + b);
                    }
                    packets.add(new Packet(
                            batch.timestampNs(i),
                            batch.wireLength(i),
                            HexFormat.of().formatHex(bytes)));
                }
            }
            assertThat(source.faults()).isEmpty();
        }
        return packets;
    }

    /** The names of the files in a folder, sorted. */
    static List<String> names(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
