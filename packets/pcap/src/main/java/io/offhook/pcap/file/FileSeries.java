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
 * A series of capture files, named as dumpcap names them: {@code name_00001_20261121170300.pcapng}, with the number of
 * the file and the time (UTC) of its first packet. Extensions stay at the end; {@code .gz} and {@code .zst} compress.
 * If the number of files is limited, the oldest is deleted when the next one begins. Single-threaded.
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

    /** Thrown if a file of the series would overwrite one that is being read. */
    public static final class SparedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private SparedException(String message) {
            super(message);
        }
    }

    /**
     * Creates a series without files.
     *
     * @param name the name to which number and time are added, in an existing directory
     * @param most the number of files to keep; 0 for all
     */
    public FileSeries(Path name, int most) {
        this(name, most, CaptureCompression.ofName(name.toString()));
    }

    /** As {@link #FileSeries(Path, int)}, but compressed as given, whatever the name is. */
    public FileSeries(Path name, int most, CaptureCompression compression) {
        Path file = name.getFileName();
        if (file == null) {
            throw new IllegalArgumentException(name + " does not end in a file name");
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

    /** Adds files that must not be overwritten because they are being read. */
    public void spare(Collection<Path> files) {
        for (Path file : files) {
            spared.add(real(file));
        }
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize(); // it does not exist
        }
    }

    /**
     * Creates the next file; the previous one must have been closed.
     *
     * @param timestampNs the time of its first packet, nanoseconds since the epoch
     * @throws UncheckedIOException if it cannot be created
     * @throws SparedException if it would overwrite a spared file
     */
    public WritableByteChannel next(long timestampNs) {
        count++;
        Path file = file(count, timestampNs);
        WritableByteChannel channel = CaptureOutput.channel(file, compression);
        kept.addLast(file);
        if (most > 0 && kept.size() > most) {
            delete(kept.removeFirst(), channel);
        } else if (most == 0 && kept.size() > 1) {
            kept.removeFirst(); // nothing is ever deleted, so the list is not needed
        }
        return channel;
    }

    /**
     * Returns the path of the file with the given number.
     *
     * @throws SparedException if that file is spared
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

    /** @param next the new file, which is closed if the old one cannot be deleted */
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

    /** Returns the number of files created so far, including deleted ones. */
    public long count() {
        return count;
    }

    /** Returns the file created last, or null. */
    public @Nullable Path last() {
        return kept.peekLast();
    }
}
