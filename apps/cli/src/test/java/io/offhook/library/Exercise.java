package io.offhook.library;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Drives every reader, view and reassembler of the library with captures, damaged copies of them, and random bytes. Nothing
 * may throw. The same arguments do the same. As a program of its own it writes what it did to a file, and nothing else.
 */
final class Exercise {
    /** What is only looked at of each so many frames, since it is slow: each view on each layer. */
    private static final int EVERY_VIEW = 61;
    /** The same for each view on the payload. */
    private static final int EVERY_PAYLOAD = 3;

    private final Tally tally = new Tally();
    private final EveryView views = new EveryView();
    private final EveryPacket packet = new EveryPacket(tally);
    private final EveryReader reader = new EveryReader(tally);
    private final Random random = new Random(20_261_121);
    private final int rounds;
    private final boolean withZstd;
    private long number;

    /** @param rounds of random and damaged bytes for each thing that takes them */
    Exercise(int rounds, boolean withZstd) {
        this.rounds = rounds;
        this.withZstd = withZstd;
    }

    /** {@code java Exercise REPORT ROUNDS plain|zstd FOLDER...}; the report's last line is "done", or what was thrown. */
    public static void main(String[] args) throws IOException {
        StringWriter report = new StringWriter();
        int code = 0;
        try {
            Exercise exercise = new Exercise(Integer.parseInt(args[1]), args[2].equals("zstd"));
            for (String folder : List.of(args).subList(3, args.length)) {
                exercise.captures(Path.of(folder));
            }
            exercise.randomBytes();
            exercise.counts().forEach((name, count) -> report.append(name + "\t" + count + "\n"));
            report.append("done\n");
        } catch (RuntimeException | IOException | Error e) {
            e.printStackTrace(new PrintWriter(report));
            code = 1;
        }
        Files.writeString(Path.of(args[0]), report.toString());
        System.exit(code);
    }

    /** What was done, and how often each view was read ("view NAME"). */
    Map<String, Long> counts() {
        views.reads().forEach((name, reads) -> tally.add("view " + name, reads));
        return tally.counts();
    }

    void captures(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().matches(".*\\.(md|tsv|java|sh)"))
                    .filter(file -> withZstd || !isZstd(file))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            try {
                capture(file);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(file + ", frame " + number, e);
            }
        }
    }

    private static boolean isZstd(Path file) {
        byte[] bytes = EveryReader.bytesOf(file);
        return bytes.length > 4
                && ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt() == 0xfd2fb528;
    }

    private void capture(Path file) throws IOException {
        byte[] bytes = EveryReader.bytesOf(file);
        number = 0;
        try (Arena arena = Arena.ofShared();
                EveryReassembler tables = new EveryReassembler(tally)) {
            reader.sound(file, bytes, batch -> frames(batch, arena, tables));
        }
        number = 0;
        int copies = bytes.length > 100_000 ? Math.max(1, rounds / 200) : Math.max(2, rounds / 40);
        reader.damaged(bytes, random, copies, withZstd, this::frames);
    }

    /** Kept in memory of their own, as the tables that reference want it, each with nothing behind it. */
    private void frames(FrameBatch batch, Arena arena, EveryReassembler tables) {
        for (int i = 0; i < batch.count(); i++) {
            number = batch.number(i);
            int length = batch.capturedLength(i);
            MemorySegment frame = arena.allocate(Math.max(length, 1)).asSlice(0, length);
            frame.copyFrom(batch.segmentOf(i).asSlice(batch.offset(i), length));
            packet.frame(frame, batch.wireLength(i), batch.linkType(i), batch.timestampNs(i));
            PacketWalker walker = packet.walker;
            tables.packet(walker, batch.wireLength(i), batch.timestampNs(i), number);
            views.onLayers(walker);
            if (number % EVERY_VIEW == 1) {
                for (int layer = 0; layer < walker.layerCount(); layer++) {
                    views.onBytes(frame, walker.layerOffset(layer), walker.layerLength(layer));
                }
            }
            if (number % EVERY_PAYLOAD == 1 && walker.payloadLength() > 0) {
                views.onBytes(frame, walker.payloadOffset(), walker.payloadLength());
            }
        }
    }

    private void frames(FrameBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            number = batch.number(i);
            MemorySegment frame = batch.segmentOf(i).asSlice(batch.offset(i), batch.capturedLength(i));
            packet.frame(frame, batch.wireLength(i), batch.linkType(i), batch.timestampNs(i));
        }
    }

    /** Bytes that nobody sent: to the readers, as frames of every link type, as fragments and segments, and to the views. */
    void randomBytes() throws IOException {
        for (int round = 0; round < rounds; round++) {
            byte[] bytes = new byte[random.nextInt(2000)];
            random.nextBytes(bytes);
            reader.damaged(bytes, random, 1, withZstd, this::frames);
        }
        randomFrames();
        RandomParts parts = new RandomParts(random);
        for (int round = 0; round < rounds; round++) {
            try (Arena arena = Arena.ofShared();
                    EveryReassembler tables = new EveryReassembler(tally)) {
                for (int i = 1; i <= 100; i++) {
                    MemorySegment part = parts.next(arena);
                    packet.frame(part, (int) part.byteSize(), LinkType.RAW, i * 1_000_000L);
                    tables.packet(packet.walker, (int) part.byteSize(), i * 1_000_000L, i);
                }
            }
        }
        views.onDamaged(random, rounds);
    }

    private void randomFrames() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(300);
            for (int linkType = 0; linkType < 300; linkType++) {
                for (int round = 0; round < rounds; round++) {
                    byte[] bytes = new byte[random.nextInt(300)];
                    random.nextBytes(bytes);
                    MemorySegment frame = memory.asSlice(0, bytes.length);
                    MemorySegment.copy(bytes, 0, frame, ValueLayout.JAVA_BYTE, 0, bytes.length);
                    packet.frame(frame, bytes.length + random.nextInt(2) * random.nextInt(2000), linkType, round);
                }
            }
        }
    }
}
