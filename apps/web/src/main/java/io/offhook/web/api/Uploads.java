package io.offhook.web.api;

import io.offhook.web.data.CaptureReader;
import io.offhook.web.data.ReadConnections;
import io.offhook.web.http.BadRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The captures that users dropped on the page, each in a file and a database of its own, apart from the calls of the server.
 * Bounded in size and number; the one that nobody asked about for the longest time goes first, if that is ten minutes or
 * more.
 *
 * <p>Thread-safe.
 */
final class Uploads implements AutoCloseable {
    /** So many captures are kept at a time. */
    static final int MOST = 8;

    private static final long KEPT_NS = 600_000_000_000L;
    private static final long MOST_NS = 3600_000_000_000L;
    private static final int MOST_AT_ONCE = 2;
    private static final int BUFFER = 1 << 16;
    private static final int MOST_CHARACTERS = 200;

    private final CaptureReader reader;
    private final long mostBytes;
    private final LongSupplier clockNs;
    private final Map<String, Upload> uploads = new LinkedHashMap<>();
    private final AtomicInteger arriving = new AtomicInteger();
    private int last;

    /** A capture. */
    final class Upload {
        final String id;
        final String name;
        final ReadConnections connections;
        private final Path file;
        private final CaptureReader.OpenCapture capture;
        private long usedNs;

        private Upload(String id, String name, Path file, CaptureReader.OpenCapture capture) {
            this.id = id;
            this.name = name;
            this.file = file;
            this.capture = capture;
            connections = new ReadConnections(capture.data());
            usedNs = clockNs.getAsLong();
        }

        private void delete() {
            connections.close();
            capture.close();
            Uploads.delete(file);
        }
    }

    /**
     * Begins without any.
     *
     * @param mostBytes of a capture
     * @param clockNs a clock that never goes back, in nanoseconds
     */
    Uploads(CaptureReader reader, long mostBytes, LongSupplier clockNs) {
        this.reader = reader;
        this.mostBytes = mostBytes;
        this.clockNs = clockNs;
    }

    long mostBytes() {
        return mostBytes;
    }

    /**
     * Takes a capture, and begins to read it.
     *
     * @param name as its user has it; only shown
     * @throws BadRequestException if it is too large, takes longer than an hour, or there are too many
     */
    Upload add(String name, InputStream content) throws IOException {
        if (arriving.incrementAndGet() > MOST_AT_ONCE) {
            arriving.decrementAndGet();
            throw new BadRequestException(429, "other captures are arriving; try again in some seconds");
        }
        Path file = Files.createTempFile("offhook-dropped-", ".capture");
        boolean isTaken = false;
        try {
            makeRoom();
            copy(content, file);
            CaptureReader.OpenCapture capture = reader.read(file, shortened(name));
            isTaken = true;
            synchronized (this) {
                Upload upload = new Upload("u" + ++last, shortened(name), file, capture);
                uploads.put(upload.id, upload);
                return upload;
            }
        } finally {
            arriving.decrementAndGet();
            if (!isTaken) {
                delete(file);
            }
        }
    }

    private static String shortened(String name) {
        return name.length() <= MOST_CHARACTERS ? name : name.substring(0, MOST_CHARACTERS);
    }

    private void copy(InputStream content, Path file) throws IOException {
        long beganNs = clockNs.getAsLong();
        byte[] buffer = new byte[BUFFER];
        long bytes = 0;
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
            for (int read = read(content, buffer); read >= 0; read = read(content, buffer)) {
                bytes += read;
                if (bytes > mostBytes) {
                    throw new BadRequestException(
                            413,
                            "the capture is larger than " + mostBytes + " bytes, which is the limit"
                                    + " here; offhook serve FILE has none");
                }
                if (clockNs.getAsLong() - beganNs > MOST_NS) {
                    throw new BadRequestException(408, "the capture took longer than an hour to arrive");
                }
                out.write(buffer, 0, read);
            }
        }
        if (bytes == 0) {
            throw new BadRequestException(400, "the capture is empty");
        }
    }

    /** Whatever goes wrong here is a fault of whoever sends: the library throws exceptions of many kinds. */
    private static int read(InputStream content, byte[] buffer) {
        try {
            return content.read(buffer);
        } catch (IOException | RuntimeException e) {
            throw new BadRequestException(400, "the capture did not arrive whole: " + e.getMessage());
        }
    }

    private synchronized void makeRoom() {
        if (uploads.size() < MOST) {
            return;
        }
        Upload oldest = null;
        for (Upload upload : uploads.values()) {
            if (oldest == null || upload.usedNs - oldest.usedNs < 0) {
                oldest = upload;
            }
        }
        if (oldest == null || clockNs.getAsLong() - oldest.usedNs < KEPT_NS) {
            throw new BadRequestException(429, "there are " + MOST + " captures already; close one of them");
        }
        uploads.remove(oldest.id);
        oldest.delete();
    }

    /** The capture of that id, or null. */
    synchronized @Nullable Upload find(String id) {
        Upload upload = uploads.get(id);
        if (upload != null) {
            upload.usedNs = clockNs.getAsLong();
        }
        return upload;
    }

    /** All of them, in the order in which they came. */
    synchronized List<Upload> all() {
        return new ArrayList<>(uploads.values());
    }

    /** Deletes one. @return false if there is none of that id */
    boolean remove(String id) {
        Upload removed;
        synchronized (this) {
            removed = uploads.remove(id);
        }
        if (removed != null) {
            removed.delete();
        }
        return removed != null;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // it is in a temporary folder, which the system clears
        }
    }

    @Override
    public void close() {
        for (Upload upload : all()) {
            remove(upload.id);
        }
    }
}
