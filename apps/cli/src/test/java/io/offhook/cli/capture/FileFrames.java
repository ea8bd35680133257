package io.offhook.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The frames of a capture file.
 *
 * @param frames number, length on the wire and hash of each: text, so that a failure can be read
 * @param times their times, in nanoseconds since the epoch
 * @param interfaces the interfaces of the file
 * @param from the index of each frame's interface
 */
record FileFrames(List<String> frames, List<Long> times, List<CaptureInterface> interfaces, List<Integer> from) {
    /** Writes different frames of all lengths to a file. */
    static Path write(Path folder, int count) {
        return write(folder, count, 60, 1514);
    }

    /** Writes frames of {@code shortest} to {@code longest} bytes. */
    static Path write(Path folder, int count, int shortest, int longest) {
        Path file = folder.resolve("sent-" + count + (longest == 1514 ? "" : "-" + longest) + ".pcap");
        Random random = new Random(count);
        byte[] frame = new byte[longest];
        try (PcapWriter writer = PcapWriter.create(file, LinkType.ETHERNET);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(frame.length);
            for (int i = 0; i < count; i++) {
                random.nextBytes(frame);
                frame[0] = 2;
                frame[6] = 2;
                frame[12] = 8;
                frame[13] = 0;
                MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
                int length = shortest + random.nextInt(longest - shortest + 1);
                writer.write(memory, 0, length, length, i, LinkType.ETHERNET);
            }
        }
        return file;
    }

    /** Reads a file without faults. */
    static FileFrames of(Path file) {
        List<String> frames = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        List<Integer> from = new ArrayList<>();
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            FrameBatch batch = new FrameBatch(1000);
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    byte[] bytes = batch.segmentOf(i)
                            .asSlice(batch.offset(i), batch.capturedLength(i))
                            .toArray(ValueLayout.JAVA_BYTE);
                    frames.add(frames.size() + ": " + batch.wireLength(i) + " " + Arrays.hashCode(bytes));
                    times.add(batch.timestampNs(i));
                    from.add(batch.interfaceIndex(i));
                }
            }
            assertThat(source.faults()).extracting(CaptureFault::describe).isEmpty();
            return new FileFrames(frames, times, source.interfaces(), from);
        }
    }

    /** Compares frames in order; a failure shows the first ones that differ. */
    static void assertSame(List<String> read, List<String> sent) {
        int same = 0;
        while (same < Math.min(read.size(), sent.size()) && read.get(same).equals(sent.get(same))) {
            same++;
        }
        assertThat(read.subList(same, Math.min(read.size(), same + 3)))
                .as("from frame " + same + " on, of " + read.size() + " and " + sent.size())
                .isEqualTo(sent.subList(same, Math.min(sent.size(), same + 3)));
    }
}
