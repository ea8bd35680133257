package io.offhook.cli.rewrite;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.extract.PacketTarget;
import io.offhook.cli.terminal.OutputClosedException;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureCompression;
import io.offhook.pcap.CaptureFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The file that {@code convert}, {@code merge} and {@code split} write, and its format, chosen by options or by the name.
 *
 * <p>The content is written to a temporary file beside the target, and renamed when it is complete. Until then, and after a
 * crash, the target keeps its previous content.
 */
public final class RewriteTarget {
    private static final String STANDARD_OUTPUT = "-";

    /** The values of {@code --to}. */
    enum To {
        PCAP(CaptureFormat.PCAP),
        NSECPCAP(CaptureFormat.PCAP_NANOSECOND),
        PCAPNG(CaptureFormat.PCAPNG);

        private final CaptureFormat format;

        To(CaptureFormat format) {
            this.format = format;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The values of {@code --compress}. */
    enum Compress {
        NONE(CaptureCompression.NONE),
        GZIP(CaptureCompression.GZIP),
        ZSTD(CaptureCompression.ZSTD);

        private final CaptureCompression compression;

        Compress(CaptureCompression compression) {
            this.compression = compression;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Terminal terminal;
    private final @Nullable Path file;
    private final CaptureFormat format;
    private final CaptureCompression compression;
    private final boolean isSeries;
    private @Nullable Path unfinished;
    private @Nullable Thread atExit;

    private RewriteTarget(
            Terminal terminal,
            @Nullable Path file,
            CaptureFormat format,
            CaptureCompression compression,
            boolean isSeries) {
        this.terminal = terminal;
        this.file = file;
        this.format = format;
        this.compression = compression;
        this.isSeries = isSeries;
    }

    public static void describe(CommandSpec spec, String written) {
        describeWrite(spec, written);
        spec.addOption(
                "--to",
                "FORMAT",
                To.class,
                "pcapng, pcap (microseconds, or nanoseconds if the files have them) or nsecpcap. Default: pcap if the name"
                        + " ends in .pcap, .cap or .dmp, else pcapng.");
        describeCompress(spec);
    }

    /** As {@link #describe}, of a command that has another {@code --to}: the name of the file says its format. */
    public static void describeFile(CommandSpec spec, String written) {
        describeWrite(spec, written);
        describeCompress(spec);
    }

    private static void describeWrite(CommandSpec spec, String written) {
        spec.addOption("-w", "--write", "FILE", String.class, written);
    }

    private static void describeCompress(CommandSpec spec) {
        spec.addOption("--compress", "HOW", Compress.class, "none, gzip or zstd. Default: by the name, .gz or .zst.");
    }

    /**
     * The target that {@code -w} names.
     *
     * @param isSeries whether it names a series of files
     */
    public static RewriteTarget of(ParseResult arguments, OutputOptions output, Terminal terminal, boolean isSeries) {
        String name = arguments.optionValue("--write", String.class);
        if (name == null) {
            throw new MisuseException("-w FILE is missing: the file to write");
        }
        Compress compress = arguments.optionValue("--compress", Compress.class);
        CaptureCompression compression = compress == null ? CaptureCompression.ofName(name) : compress.compression;
        CaptureFormat format = arguments.optionValue("--to", Object.class) instanceof To to ? to.format : ofName(name);
        if (!name.equals(STANDARD_OUTPUT)) {
            return new RewriteTarget(terminal, path(name), format, compression, isSeries);
        }
        if (isSeries) {
            throw new MisuseException("-w - writes one stream; a series of files requires a name");
        }
        if (terminal.isTerminal()) {
            throw new MisuseException(
                    "-w - would write packets to a terminal; redirect standard output, or name a file");
        }
        if (output.format() != Format.TABLE) {
            throw new MisuseException("-w - writes to standard output; omit --format, or name a file");
        }
        return new RewriteTarget(terminal, null, format, compression, false);
    }

    private static CaptureFormat ofName(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst|zstd)$", "");
        return plain.matches(".*\\.(pcap|cap|dmp)") ? CaptureFormat.PCAP : CaptureFormat.PCAPNG;
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new MisuseException("-w " + name + " is not a valid path: " + e.getReason());
        }
    }

    /**
     * Checks that the target can be written, before the files are read.
     *
     * @param inputs the files that are read, none of which may be the target
     * @throws IOException if the target cannot be written
     */
    public void check(List<String> inputs) throws IOException {
        Path target = file;
        if (target != null) {
            // files of a series have names derived from the given one
            PacketTarget.of(target, terminal).check(isSeries ? List.of() : inputs);
        }
    }

    public CaptureFormat format() {
        return format;
    }

    public CaptureCompression compression() {
        return compression;
    }

    public boolean isStandardOutput() {
        return file == null;
    }

    /** The given path. Throws an {@link IllegalStateException} for standard output, which has none. */
    public Path file() {
        Path target = file;
        if (target == null) {
            throw new IllegalStateException("standard output has no path");
        }
        return target;
    }

    /** Opens the temporary file; call {@link #finish} or {@link #abandon} at the end. */
    WritableByteChannel open() throws IOException {
        Path target = file;
        if (target == null) {
            return compression.compress(Channels.newChannel(terminal.bytes()));
        }
        Path written = target;
        if (!Files.exists(target) || Files.isRegularFile(target)) {
            String part =
                    "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part";
            written = target.toAbsolutePath().resolveSibling(part);
            unfinished = written;
            Thread deletes = new Thread(this::delete, "offhook-delete-part");
            atExit = deletes;
            Runtime.getRuntime().addShutdownHook(deletes);
        }
        return compression.compress(FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
    }

    private void delete() {
        Path part = unfinished;
        if (part != null) {
            try {
                Files.deleteIfExists(part);
            } catch (IOException e) {
                // the process is ending: nothing can report it
            }
        }
    }

    /** Renames the temporary file to the target. */
    void finish() throws IOException {
        Path part = unfinished;
        if (part == null) {
            return;
        }
        Path place = Files.exists(file()) ? file().toRealPath() : file();
        try {
            Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(part, place, StandardCopyOption.REPLACE_EXISTING);
        }
        unfinished = null;
        forgetHook();
    }

    /** Deletes the temporary file; without effect after {@link #finish}. */
    void abandon() {
        delete();
        unfinished = null;
        forgetHook();
    }

    private void forgetHook() {
        Thread deletes = atExit;
        atExit = null;
        if (deletes != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(deletes);
            } catch (IllegalStateException e) {
                // the process is ending already
            }
        }
    }

    /** A write error as commands report it. */
    public IOException reported(UncheckedIOException e) {
        if (e.getCause() instanceof OutputClosedException closed) {
            return closed;
        }
        return new IOException(this + ": " + e.getMessage(), e.getCause());
    }

    /** The file's name; "-" for standard output. */
    @Override
    public String toString() {
        Path target = file;
        return target == null ? STANDARD_OUTPUT : target.toString();
    }
}
