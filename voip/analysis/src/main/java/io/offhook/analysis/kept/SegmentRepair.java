package io.offhook.analysis.kept;

import io.offhook.analysis.Pipeline;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a segment whole whose writer was killed: cuts it behind its last whole packet, and makes its index from its packets. */
final class SegmentRepair {
    private long[] positions = new long[1 << 12];
    private int count;
    private long firstNs = Long.MAX_VALUE;
    private long lastNs = Long.MIN_VALUE;

    private SegmentRepair() {}

    /** Repairs a segment. @return null if there is no whole packet in it, whereupon it was deleted */
    static @Nullable Segment repair(Path file) throws IOException {
        return new SegmentRepair().of(file);
    }

    private @Nullable Segment of(Path file) throws IOException {
        long end = find(file);
        if (count == 0) {
            Files.deleteIfExists(Segment.index(file));
            Files.delete(file);
            return null;
        }
        if (end < Files.size(file)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(end);
            }
        }
        SegmentIndex.Span span = new SegmentIndex.Span(end, firstNs, lastNs);
        return new Segment(file, span, SegmentIndex.write(Segment.index(file), entries(file), span));
    }

    private long find(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            SegmentFile segment = SegmentFile.map(file, arena);
            return segment.packets(at -> {
                if (count == positions.length) {
                    positions = Arrays.copyOf(positions, 2 * count);
                }
                positions[count++] = at;
                firstNs = Math.min(firstNs, segment.timestampNs(at));
                lastNs = Math.max(lastNs, segment.timestampNs(at));
            });
        }
    }

    private IndexEntries entries(Path file) {
        IndexEntries entries = new IndexEntries();
        KeptFrames collected = new KeptFrames() {
            @Override
            public void frame(FrameBatch batch, int i, int length, long key) {
                int number = (int) batch.number(i);
                if (number <= count) {
                    entries.add(key, positions[number - 1]);
                }
            }

            @Override
            public void endOfRound() {}
        };
        Pipeline pipeline = Pipeline.of(1);
        new FrameKeys(collected, FrameKeys.Extent.ALL_FRAMES, true).addTo(pipeline);
        try (PacketSource source = CaptureFiles.open(List.of(file.toString()), InputStream.nullInputStream())) {
            pipeline.run(source);
        }
        return entries;
    }
}
