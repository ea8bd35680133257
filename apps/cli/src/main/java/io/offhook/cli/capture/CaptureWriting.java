package io.offhook.cli.capture;

import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.Version;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.rewrite.RewriteTarget;
import io.offhook.cli.terminal.Terminal;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.CaptureOrigin;
import io.offhook.pcap.PacketSink;
import io.offhook.pcap.file.FileSeries;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.pcap.file.PcapWriter;
import io.offhook.pcap.file.RotatingSink;
import io.offhook.pcap.file.RotationLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file or series of files that a capture writes.
 *
 * @param sink receives the packets
 * @param format the format of the files
 * @param packetsKept the number of packets in the files once the sink is closed
 * @param files the number of files written, including those deleted since
 * @param bytes the size of all files, before compression
 */
record CaptureWriting(
        PacketSink sink, CaptureFormat format, LongSupplier packetsKept, LongSupplier files, LongSupplier bytes) {
    private static final int LINK_ADDRESS_BYTES = 6;

    /**
     * Opens the target. The first file of a series is opened with the first packet.
     *
     * @param limits the limits of each file of a series; null for a single file
     */
    static CaptureWriting open(
            RewriteTarget target,
            @Nullable RotationLimits limits,
            LiveInput input,
            LiveOptions options,
            Terminal terminal)
            throws IOException {
        checkFormat(target, input.source().interfaces());
        CaptureOrigin origin = origin(input, options);
        // kernel timestamps have nanoseconds
        CaptureFormat format = target.format() == CaptureFormat.PCAP ? CaptureFormat.PCAP_NANOSECOND : target.format();
        if (limits != null) {
            FileSeries series = new FileSeries(target.file(), limits.files(), target.compression());
            RotatingSink sink = RotatingSink.create(series, format, limits, origin);
            return new CaptureWriting(sink, format, sink::packetsKept, sink::files, sink::bytes);
        }
        WritableByteChannel channel = target.compression().compress(channel(target, terminal));
        if (format == CaptureFormat.PCAPNG) {
            PcapNgWriter sink = PcapNgWriter.to(channel, origin);
            return new CaptureWriting(sink, format, sink::packetsKept, () -> 1, sink::bytes);
        }
        int linkType = input.source().interfaces().getFirst().linkType();
        PcapWriter sink = PcapWriter.to(channel, format, linkType);
        return new CaptureWriting(sink, format, sink::packetsKept, () -> 1, sink::bytes);
    }

    /** Checks that all interfaces have one link type, unless the format is pcapng. */
    private static void checkFormat(RewriteTarget target, List<CaptureInterface> interfaces) {
        if (target.format() == CaptureFormat.PCAPNG) {
            return;
        }
        CaptureInterface first = interfaces.getFirst();
        for (CaptureInterface other : interfaces) {
            if (other.linkType() != first.linkType()) {
                throw new MisuseException("-w " + target + ": a pcap file holds one link type, but those of "
                        + first.name() + " and " + other.name() + " differ; use --to pcapng");
            }
        }
    }

    /** A target that discards everything. */
    static CaptureWriting toNowhere(CaptureFormat format, CaptureInterface captured) throws IOException {
        WritableByteChannel channel = Channels.newChannel(OutputStream.nullOutputStream());
        if (format == CaptureFormat.PCAPNG) {
            CaptureOrigin.Interface from = new CaptureOrigin.Interface(captured, null, "", null, 0);
            PcapNgWriter sink = PcapNgWriter.to(channel, new CaptureOrigin("", "", "", List.of(from), 0));
            return new CaptureWriting(sink, format, sink::packetsKept, () -> 1, sink::bytes);
        }
        PcapWriter sink = PcapWriter.to(channel, CaptureFormat.PCAP_NANOSECOND, captured.linkType());
        return new CaptureWriting(sink, format, sink::packetsKept, () -> 1, sink::bytes);
    }

    /** Writes to the final path from the start, so that the packets so far can be read meanwhile and after a crash. */
    private static WritableByteChannel channel(RewriteTarget target, Terminal terminal) throws IOException {
        if (target.isStandardOutput()) {
            return Channels.newChannel(terminal.bytes());
        }
        try {
            return FileChannel.open(
                    target.file(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        } catch (AccessDeniedException e) {
            throw new IOException(target + ": no permission to write this file", e);
        }
    }

    private static CaptureOrigin origin(LiveInput input, LiveOptions options) throws IOException {
        List<CaptureOrigin.Interface> interfaces = new ArrayList<>();
        for (CaptureInterface captured : input.source().interfaces()) {
            NetworkDevice device = named(captured.file(), input.devices());
            interfaces.add(new CaptureOrigin.Interface(
                    captured,
                    device == null ? null : alias(device),
                    options.filter(),
                    device == null ? null : linkAddress(device),
                    device == null ? 0 : Math.max(0, device.speedMbps()) * 1_000_000L));
        }
        Instant now = Instant.now();
        return new CaptureOrigin(
                "Offhook " + Version.number(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                hardware(),
                interfaces,
                now.getEpochSecond() * 1_000_000_000L + now.getNano());
    }

    private static @Nullable NetworkDevice named(String name, List<NetworkDevice> devices) {
        for (NetworkDevice device : devices) {
            if (device.name().equals(name)) {
                return device;
            }
        }
        return null;
    }

    /** The description set by an administrator with {@code ip link set ... alias}. */
    private static @Nullable String alias(NetworkDevice device) {
        try {
            String alias = Files.readString(Path.of("/sys/class/net", device.name(), "ifalias"));
            return alias.isBlank() ? null : alias.strip();
        } catch (IOException e) {
            return null;
        }
    }

    private static byte @Nullable [] linkAddress(NetworkDevice device) {
        byte[] address = HexFormat.ofDelimiter(":").parseHex(device.linkAddress());
        for (byte octet : address) {
            if (octet != 0 && address.length == LINK_ADDRESS_BYTES) {
                return address;
            }
        }
        return null; // the address of a loopback is zero
    }

    /** The name of the processor, as in files of dumpcap, or the architecture if the name is unknown. */
    private static String hardware() {
        String architecture = System.getProperty("os.arch");
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(architecture);
        } catch (IOException | UncheckedIOException e) {
            return architecture;
        }
    }
}
