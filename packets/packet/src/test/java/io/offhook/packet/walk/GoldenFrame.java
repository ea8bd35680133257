package io.offhook.packet.walk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A frame of frames.tsv: bytes built field by field outside of this project and read back with tshark, with what a walk
 * must find in them.
 */
public record GoldenFrame(
        String name,
        int linkType,
        PacketWalker.Stop stop,
        int payloadLength,
        List<String> layers,
        String ends,
        String hex) {

    public static List<GoldenFrame> all() {
        try (InputStream in = Objects.requireNonNull(GoldenFrame.class.getResourceAsStream("frames.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(GoldenFrame::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static GoldenFrame of(String name) {
        return all().stream()
                .filter(frame -> frame.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no frame " + name + " in frames.tsv"));
    }

    private static GoldenFrame parse(String line) {
        String[] column = line.split("\t", -1);
        return new GoldenFrame(
                column[0],
                Integer.parseInt(column[1]),
                PacketWalker.Stop.valueOf(column[2]),
                Integer.parseInt(column[3]),
                List.of(column[4].split(",", -1)),
                column[5],
                column[6]);
    }

    /** A copy, to be changed at will. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    public int length() {
        return hex.length() / 2;
    }

    /** In memory of just that size, so that a read outside of it throws. */
    public MemorySegment segment() {
        return segment(bytes());
    }

    public static MemorySegment segment(byte[] bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    public static MemorySegment segment(String hex) {
        return segment(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    public PacketWalker walk() {
        PacketWalker walker = new PacketWalker();
        walker.walk(segment(), 0, length(), length(), linkType);
        return walker;
    }

    @Override
    public String toString() {
        return name;
    }
}
