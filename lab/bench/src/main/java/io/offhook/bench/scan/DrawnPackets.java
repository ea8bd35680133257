package io.offhook.bench.scan;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LinkType;
import io.offhook.packet.link.EthernetView;
import io.offhook.pcap.CaptureFormat;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Different packets drawn from all captures of a folder: the same files and the same seed yield the same packets in the same
 * order. All packets have the same probability, whatever file they are from; duplicates are recognised by SHA-256. Only
 * Ethernet packets take part, because all libraries read these.
 */
public final class DrawnPackets {
    /** About as many as in jNetPcap's test. */
    public static final int COUNT = 7_300;

    /** The seed of comparable figures. */
    public static final long SEED = 7_300;

    private static final int BATCH_FRAMES = 1024;

    private final int count;
    private final Random random;
    private final Set<ByteBuffer> seen = new HashSet<>();
    private final List<Packet> drawn = new ArrayList<>();
    private final MessageDigest sha256 = sha256();
    private int captures;

    /** A drawn packet. */
    private static final class Packet {
        final byte[] bytes;
        final int wireLength;

        Packet(byte[] bytes, int wireLength) {
            this.bytes = bytes;
            this.wireLength = wireLength;
        }
    }

    private DrawnPackets(int count, long seed) {
        this.count = count;
        random = new Random(seed);
    }

    /**
     * Draws packets.
     *
     * @param folder whose files take part, including its subfolders; files other than captures are skipped
     * @param count how many; if there are fewer different packets, all of them
     */
    public static DrawnPackets draw(Path folder, int count, long seed) throws IOException {
        DrawnPackets draw = new DrawnPackets(count, seed);
        for (Path file : files(folder)) {
            draw.read(file);
        }
        draw.shuffle();
        return draw;
    }

    /** Sorts by name, independent of file system and locale. */
    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .sorted((a, b) -> name(folder, a).compareTo(name(folder, b)))
                    .toList();
        }
    }

    private static String name(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private void read(Path file) {
        FrameBatch batch = new FrameBatch(BATCH_FRAMES);
        boolean any = false;
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    if (batch.linkType(i) == LinkType.ETHERNET && batch.capturedLength(i) >= EthernetView.LENGTH) {
                        offer(batch, i);
                        any = true;
                    }
                }
            }
        }
        captures += any ? 1 : 0;
    }

    /** Keeps a packet with the same probability as all different packets so far (reservoir sampling, algorithm R). */
    private void offer(FrameBatch batch, int i) {
        byte[] bytes = new byte[batch.capturedLength(i)];
        MemorySegment.copy(batch.segmentOf(i), ValueLayout.JAVA_BYTE, batch.offset(i), bytes, 0, bytes.length);
        if (!seen.add(ByteBuffer.wrap(sha256.digest(bytes)))) {
            return;
        }
        Packet packet = new Packet(bytes, batch.wireLength(i));
        if (drawn.size() < count) {
            drawn.add(packet);
            return;
        }
        int place = random.nextInt(seen.size());
        if (place < count) {
            drawn.set(place, packet);
        }
    }

    /** Shuffles them, so that the processor cannot predict the next packet from the order of a file. */
    private void shuffle() {
        for (int i = drawn.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            Packet packet = drawn.get(i);
            drawn.set(i, drawn.get(other));
            drawn.set(other, packet);
        }
    }

    /** Returns the bytes of each packet. */
    public List<byte[]> bytes() {
        return drawn.stream().map(packet -> packet.bytes).toList();
    }

    /** Returns the number of different packets to draw from. */
    int different() {
        return seen.size();
    }

    /** Returns a classic little-endian pcap file of them, from 1970 on, a microsecond apart. */
    void write(Path file) {
        try (PcapWriter writer = PcapWriter.create(file, CaptureFormat.PCAP, LinkType.ETHERNET);
                Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(
                    drawn.stream().mapToInt(packet -> packet.bytes.length).max().orElse(1));
            for (int i = 0; i < drawn.size(); i++) {
                byte[] bytes = drawn.get(i).bytes;
                MemorySegment.copy(bytes, 0, room, ValueLayout.JAVA_BYTE, 0, bytes.length);
                writer.write(room, 0, bytes.length, drawn.get(i).wireLength, 1_000L * i, LinkType.ETHERNET);
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * Draws packets into a file, and prints what was drawn and the file's SHA-256.
     *
     * @param args folder and file; optionally the number of packets and the seed
     */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[1]);
        int count = args.length > 2 ? Integer.parseInt(args[2]) : COUNT;
        long seed = args.length > 3 ? Long.parseLong(args[3]) : SEED;
        DrawnPackets draw = draw(Path.of(args[0]), count, seed);
        draw.write(file);
        System.out.printf(
                Locale.ROOT,
                "%,d of %,d different packets of Ethernet in %,d captures, seed %d, SHA-256 %s%n",
                draw.drawn.size(),
                draw.different(),
                draw.captures,
                seed,
                HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(file))));
    }
}
