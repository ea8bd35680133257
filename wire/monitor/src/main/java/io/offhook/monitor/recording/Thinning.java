package io.offhook.monitor.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;

/**
 * Writes a recording anew, packed, and within a limit: the newest part as it is, older ones as means of 10 s, 1 min, 10 min and
 * 1 h, the oldest not at all. Written beside the file, which goes on meanwhile, and moved into its place: the process may be killed at
 * any moment.
 */
final class Thinning {
    /** Seconds of the means, the newest part first. */
    static final int[] MEANS = {0, 10, 60, 600, 3600};

    /** Their parts of the limit; what is left has to grow. */
    private static final double[] PARTS = {0.25, 0.125, 0.125, 0.0625, 0.0625};

    /** Packed records have about that part of their bytes; where they are not, it is tried again. */
    private static final double PACKED = 0.75;

    private static final double MOST = 0.75;
    private static final int TRIES = 12;
    private static final long NS_A_SECOND = 1_000_000_000L;

    private final Path path;
    private final Path temporary;

    private final long endBytes;

    private Thinning(Path path, long endBytes) {
        this.path = path;
        this.endBytes = endBytes;
        temporary = path.resolveSibling(path.getFileName() + ".tmp");
    }

    /**
     * Writes a recording anew beside it, on a thread of its own; {@link #replace} puts it into its place.
     *
     * @param endBytes the end of its last record, behind which others may be written meanwhile
     */
    static FutureTask<Thinning> start(Path path, long endBytes, long limitBytes) {
        FutureTask<Thinning> task = new FutureTask<>(() -> {
            Thinning thinning = new Thinning(path, endBytes);
            thinning.thin(limitBytes);
            return thinning;
        });
        Thread.ofPlatform().daemon().name("offhook-thinning").start(task);
        return task;
    }

    /** Packs a recording, and loses nothing. @throws IOException if that failed; the recording is as it was */
    static void pack(Path path) throws IOException {
        long[] none = new long[MEANS.length];
        Arrays.fill(none, Long.MIN_VALUE);
        Thinning packing = new Thinning(path, Long.MAX_VALUE);
        try {
            packing.rewrite(none, Map.of());
        } catch (IOException e) {
            Files.deleteIfExists(packing.temporary);
            throw e;
        }
        packing.move();
    }

    /** What is known of a look before it is rewritten. */
    private record Sized(long atNs, int bytes) {}

    private void thin(long limitBytes) throws IOException {
        List<Sized> looks = new ArrayList<>();
        Map<Integer, Long> ended = new HashMap<>();
        int[] beside = new int[1];
        RecordScan.of(path, endBytes, (kind, payload) -> {
            if (kind >= RecordKind.LOCKS) {
                beside[0] += payload.left();
            } else if (kind == RecordKind.LOOK) {
                int bytes = payload.left() + beside[0];
                beside[0] = 0;
                Look look = Look.read(payload);
                looks.add(new Sized(look.atNs(), bytes));
                look.rows().stream().filter(ThreadDelta::isEnded).forEach(row -> ended.put(row.index, look.atNs()));
            }
        });
        try {
            double budget = limitBytes / PACKED;
            for (int i = 0; i < TRIES; i++) {
                long size = rewrite(bounds(looks, budget), ended);
                if (size <= limitBytes * MOST) {
                    break;
                }
                budget /= 2;
            }
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    /**
     * Puts what was written into the place of the recording, with what was recorded since then.
     *
     * @throws IOException if that failed; the recording is as it was
     */
    void replace() throws IOException {
        try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ);
                FileChannel to = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            long at = endBytes;
            while (at < from.size()) {
                at += from.transferTo(at, from.size() - at, to);
            }
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        move();
    }

    private void move() throws IOException {
        try {
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** The times up to which looks become means, of each of {@link #MEANS} and then nothing; the newest bound first. */
    private static long[] bounds(List<Sized> looks, double budget) {
        long[] bounds = new long[MEANS.length];
        int level = 0;
        double used = 0;
        long group = Long.MAX_VALUE;
        int largest = 0;
        Arrays.fill(bounds, Long.MIN_VALUE);
        for (int i = looks.size() - 1; i >= 0 && level < MEANS.length; i--) {
            Sized look = looks.get(i);
            long of = group(look.atNs(), MEANS[level]);
            if (of == group && MEANS[level] > 0) {
                used += Math.max(0, look.bytes() - largest);
                largest = Math.max(largest, look.bytes());
            } else {
                used += look.bytes();
                largest = look.bytes();
                group = of;
            }
            if (used > budget * PARTS[level]) {
                bounds[level++] = look.atNs();
                used = 0;
                group = Long.MAX_VALUE;
            }
        }
        return bounds;
    }

    /** Looks with the same number become one. */
    static long group(long atNs, int mean) {
        return mean == 0 ? atNs : Math.floorDiv(atNs - 1, mean * NS_A_SECOND);
    }

    private long rewrite(long[] bounds, Map<Integer, Long> ended) throws IOException {
        try (RecordFile file = RecordFile.create(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                PackedRecords packed = new PackedRecords(file)) {
            ThinningPass pass = new ThinningPass(packed, bounds, ended);
            RecordScan.of(path, endBytes, pass);
            pass.finish();
            file.force();
            return file.size();
        }
    }
}
