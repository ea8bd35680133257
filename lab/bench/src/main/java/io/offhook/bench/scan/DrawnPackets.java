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
 * Different packets drawn out of all captures of a folder: the same ones, in the same order, wherever the folder has the same
 * files and the seed is the same. Each of them is as likely as any other, whichever file it is from; that no two are the same
 * tell their SHA-256. Only packets of Ethernet take part, since that is what all libraries read.
 */
public final class DrawnPackets {
    /** About as many as jNetPcap's test had. */
    public static final int COUNT = 7_300;

    /** For figures that can be compared. */
    public static final long SEED = 7_300;

    private static final int BATCH_FRAMES = 1024;

    private final int count;
    private final Random random;
    private final Set<ByteBuffer> seen = new HashSet<>();
    private final List<Packet> drawn = new ArrayList<>();
    private final MessageDigest sha256 = sha256();
    private int captures;

    /** One that was drawn. */
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
     * Draws.
     *
     * @param folder whose files take part, in its folders too; what is no capture is passed over
     * @param count how many; where there are fewer different ones, all of them
     */
    public static DrawnPackets draw(Path folder, int count, long seed) throws IOException {
        DrawnPackets draw = new DrawnPackets(count, seed);
        for (Path file : files(folder)) {
            draw.read(file);
        }
        draw.shuffle();
        return draw;
    }

    /** In the order of their names, which is that of no file system or language. */
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

    /** Keeps it with the probability that all different ones so far have (reservoir sampling, algorithm R). */
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

    /** So that no processor learns what comes next from the order of a file. */
    private void shuffle() {
        for (int i = drawn.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            Packet packet = drawn.get(i);
            drawn.set(i, drawn.get(other));
            drawn.set(other, packet);
        }
    }

    /** The bytes of each. */
    public List<byte[]> bytes() {
        return drawn.stream().map(packet -> packet.bytes).toList();
    }

    /** How many different ones there were to draw from. */
    int different() {
        return seen.size();
    }

    /** A classic pcap file of them, little-endian, a microsecond apart from 1970 on. */
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
     * Draws into a file, and says what was drawn and the file's SHA-256.
     *
     * @param args folder and file; then, if they are to be others, how many and the seed
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
