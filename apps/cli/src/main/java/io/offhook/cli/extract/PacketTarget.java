package io.offhook.cli.extract;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.KeyOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.pcap.file.PcapWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The target of {@code call -w}: a file or standard output. */
public final class PacketTarget {
    private static final String STANDARD_OUTPUT = "-";
    private static final String WITH_SECRETS = "--with-secrets";

    private final Terminal terminal;
    private final @Nullable Path file;
    private final boolean withSecrets;

    private PacketTarget(Terminal terminal, @Nullable Path file, boolean withSecrets) {
        this.terminal = terminal;
        this.file = file;
        this.withSecrets = withSecrets;
    }

    /** Adds {@code --with-secrets}. */
    public static void describeSecrets(CommandSpec spec) {
        spec.addFlag(
                WITH_SECRETS,
                "With -w to pcapng and --keylog or --decrypt: also write the secrets of the call's TLS connections,"
                        + " with which everybody can read them.");
    }

    /** The target that {@code -w} names; null if it was not given. */
    public static @Nullable PacketTarget of(ParseResult arguments, OutputOptions output, Terminal terminal) {
        String name = arguments.optionValue("--write", String.class);
        boolean withSecrets = arguments.hasMatchedOption(WITH_SECRETS);
        if (withSecrets && (name == null || formatOf(name) != CaptureFormat.PCAPNG || !KeyOptions.isGiven(arguments))) {
            throw new MisuseException(
                    WITH_SECRETS + " needs -w with the name of a pcapng file, and --keylog or --decrypt");
        }
        if (name == null) {
            return null;
        }
        if (!name.equals(STANDARD_OUTPUT)) {
            return new PacketTarget(terminal, path(name), withSecrets);
        }
        if (terminal.isTerminal()) {
            throw new MisuseException(
                    "-w - would write packets to a terminal; redirect standard output, or name a file");
        }
        if (output.format() != Format.TABLE) {
            throw new MisuseException("-w - writes to standard output; omit --format, or name a file");
        }
        return new PacketTarget(terminal, null, withSecrets);
    }

    public static PacketTarget of(Path file, Terminal terminal) {
        return new PacketTarget(terminal, file, false);
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new MisuseException("-w " + name + " is not a valid path: " + e.getReason());
        }
    }

    /** Whether secrets are written, too. */
    boolean isWithSecrets() {
        return withSecrets;
    }

    public boolean isStandardOutput() {
        return file == null;
    }

    /**
     * Checks that the target can be written, before the files are read.
     *
     * @param inputs the files that are read, none of which may be the target
     * @throws IOException if the target cannot be written
     */
    public void check(List<String> inputs) throws IOException {
        Path target = file;
        if (target == null) {
            return;
        }
        for (String input : inputs) {
            if (Files.exists(target) && Files.exists(Path.of(input)) && Files.isSameFile(target, Path.of(input))) {
                throw new MisuseException("-w " + target + " is also read; name another file");
            }
        }
        if (Files.isDirectory(target)) {
            throw new MisuseException("-w " + target + " is a directory; name a file in it");
        }
        Path folder = target.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IOException(target + ": directory " + folder + " does not exist");
        }
        if (!Files.isWritable(Files.exists(target) || folder == null ? target : folder)) {
            throw new IOException(target + ": no permission to write this file");
        }
    }

    /** The format for a file name: pcap for ".pcap", ".cap" and ".dmp", also compressed; otherwise pcapng. */
    public static CaptureFormat formatOf(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst|zstd)$", "");
        return plain.matches(".*\\.(pcap|cap|dmp)") ? CaptureFormat.PCAP_NANOSECOND : CaptureFormat.PCAPNG;
    }

    /** Opens the target: pcap or pcapng, as its name ends. */
    PacketSink open(String comment, int linkType) throws IOException {
        Path target = file;
        if (target == null) {
            return PcapNgWriter.to(Channels.newChannel(terminal.bytes()), comment);
        }
        return formatOf(target.toString()) == CaptureFormat.PCAPNG
                ? PcapNgWriter.create(target, comment)
                : PcapWriter.create(target, linkType);
    }

    /** Deletes a file that could not be written whole. */
    void delete() throws IOException {
        Path target = file;
        if (target != null) {
            Files.deleteIfExists(target);
        }
    }

    /** The file's name; "-" for standard output. */
    @Override
    public String toString() {
        Path target = file;
        return target == null ? STANDARD_OUTPUT : target.toString();
    }
}
