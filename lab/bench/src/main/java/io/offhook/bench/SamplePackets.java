package io.offhook.bench;

import io.offhook.bench.scan.DrawnPackets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Hand-made packets, one of each kind, to walk. */
final class SamplePackets {
    /** Kinds of single packets. */
    static final List<String> KINDS = List.of("udp", "tcp", "vlan", "ipv6Extensions", "gre", "vxlan", "gtpu");

    /** One of each in turn. */
    static final String MIXED = "mixed";

    /** Drawn from captures. */
    static final String CORPUS = "corpus";

    private static final String MACS = "020000000002020000000001";
    private static final String HELLO = "68656c6c6f20776f726c6421";
    private static final String UDP = "13c413c600145a15" + HELLO;
    private static final String IPV4_UDP = "450000281234000040117c5ac0000201c6336402" + UDP;
    private static final String TCP_WITH_TIMESTAMPS =
            "9c4013c4000003e800000000" + "8018ffff00000000" + "0101080a0000000100000002" + HELLO;
    private static final String IPV6_ADDRESSES =
            "20010db8000000000000000000000001" + "20010db8000000000000000000000002";

    private SamplePackets() {}

    /**
     * Returns packets of a kind.
     *
     * @param captures the folder from which those of {@link #CORPUS} are drawn
     */
    static List<byte[]> of(String kind, int count, Path captures) {
        List<byte[]> packets = kind.equals(CORPUS) ? drawn(count, captures) : new ArrayList<>();
        for (int i = packets.size(); i < count; i++) {
            packets.add(
                    kind.equals(CORPUS)
                            ? packets.get(i % packets.size())
                            : packet(kind.equals(MIXED) ? KINDS.get(i % KINDS.size()) : kind));
        }
        return packets;
    }

    private static List<byte[]> drawn(int count, Path captures) {
        try {
            List<byte[]> packets = new ArrayList<>(
                    DrawnPackets.draw(captures, count, DrawnPackets.SEED).bytes());
            if (packets.isEmpty()) {
                throw new IllegalArgumentException("no capture in " + captures + " has a packet of Ethernet");
            }
            return packets;
        } catch (IOException e) {
            throw new UncheckedIOException("the captures in " + captures + " cannot be read", e);
        }
    }

    private static byte[] packet(String kind) {
        String bytes = switch (kind) {
            case "udp" -> "0800" + IPV4_UDP;
            case "tcp" -> "0800" + "450000401234000040060000c0000201c6336402" + TCP_WITH_TIMESTAMPS;
            case "vlan" -> "81000064" + "0800" + IPV4_UDP;
            case "ipv6Extensions" ->
                "86dd" + "6000000000240040" + IPV6_ADDRESSES + "3c00010400000000" + "1100010400000000" + UDP;
            case "gre" -> "0800" + "4500004012340000402f00000a0000010a000002" + "00000800" + IPV4_UDP;
            case "vxlan" ->
                "0800" + "4500005a12340000401100000a0000010a000002" + "c35012b500460000" + "0800000000002a00" + MACS
                        + "0800" + IPV4_UDP;
            case "gtpu" ->
                "0800" + "4500004c12340000401100000a0000010a000002" + "0868086800380000" + "30ff002800000001"
                        + IPV4_UDP;
            default -> throw new IllegalArgumentException("there is no packet " + kind);
        };
        return HexFormat.of().parseHex(MACS + bytes);
    }
}
