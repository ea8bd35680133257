package io.offhook.pcap.file;

import io.offhook.pcap.CaptureCompression;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Capture files that follow each other, named as dumpcap names them: {@code name_00001_20261121170300.pcapng}, with number
 * and time (UTC) of the first packet. Endings stay at the end, {@code .gz} and {@code .zst} too, which compress. With a
 * limit on their number the oldest is deleted as the next one begins. Single-threaded.
 */
public final class FileSeries {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path folder;
    private final String stem;
    private final String ending;
    private final CaptureCompression compression;
    private final int most;
    private final Deque<Path> kept = new ArrayDeque<>();
    private final Set<Path> spared = new HashSet<>();

    private long count;

    /** A file of the series would overwrite one that is being read. */
    public static final class SparedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private SparedException(String message) {
            super(message);
        }
    }

    /**
     * A series that has no file yet.
     *
     * @param name of the files, with a folder that is there
     * @param most files that are kept; 0 for all
     */
    public FileSeries(Path name, int most) {
        this(name, most, CaptureCompression.ofName(name.toString()));
    }

    /** As {@link #FileSeries(Path, int)}, compressed as told, whatever the name says. */
    public FileSeries(Path name, int most, CaptureCompression compression) {
        Path file = name.getFileName();
        if (file == null) {
            throw new IllegalArgumentException(name + " names no file");
        }
        if (most < 0) {
            throw new IllegalArgumentException("most " + most + " is below 0");
        }
        String text = file.toString();
        int end = CaptureCompression.ofName(text) == CaptureCompression.NONE ? text.length() : text.lastIndexOf('.');
        int dot = text.lastIndexOf('.', end - 1);
        int split = dot <= 0 ? end : dot;
        folder = name.toAbsolutePath().resolveSibling("");
        stem = text.substring(0, split);
        ending = text.substring(split);
        this.compression = compression;
        this.most = most;
    }

    /** Files that must not be overwritten, since they are being read. */
    public void spare(Collection<Path> files) {
        for (Path file : files) {
            spared.add(real(file));
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize(); // it is not there
        }
    }

    /**
     * Makes the next file; the one before has been closed.
     *
     * @param timestampNs of its first packet
     * @throws UncheckedIOException where it cannot be made
     * @throws SparedException where it would overwrite a file that is spared
     */
    public WritableByteChannel next(long timestampNs) {
        count++;
        Path file = file(count, timestampNs);
        WritableByteChannel channel = CaptureOutput.channel(file, compression);
        kept.addLast(file);
        if (most > 0 && kept.size() > most) {
            delete(kept.removeFirst(), channel);
        } else if (most == 0 && kept.size() > 1) {
            kept.removeFirst(); // all stay; which they were nobody asks
        }
        return channel;
    }

    /**
     * A file by its number.
     *
     * @throws SparedException where it is spared
     */
    Path file(long number, long timestampNs) {
        String time = TIME.format(Instant.ofEpochSecond(Math.max(timestampNs, 0) / 1_000_000_000L));
        Path file = folder.resolve(String.format(Locale.ROOT, "%s_%05d_%s%s", stem, number, time, ending));
        if (spared.contains(real(file))) {
            throw new SparedException(file + " is being read, and would be overwritten");
        }
        return file;
    }

    CaptureCompression compression() {
        return compression;
    }

    /** @param next the file that was made instead, which is closed where this one cannot be deleted */
    private static void delete(Path file, WritableByteChannel next) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            try {
                next.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw new UncheckedIOException("cannot delete " + file + ": " + e.getMessage(), e);
        }
    }

    /** How many files there were so far, deleted ones included. */
    public long count() {
        return count;
    }

    /** The file made last, or null. */
    public @Nullable Path last() {
        return kept.peekLast();
    }
}
