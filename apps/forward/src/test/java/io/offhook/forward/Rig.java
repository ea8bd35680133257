package io.offhook.forward;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.port.MemoryPort;
import io.offhook.packet.LinkType;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.write.PacketWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** A forwarder of memory ports, run by hand on a clock of its own. Port {@code i} has MAC address 02:00:00:00:00:1i. */
public final class Rig implements AutoCloseable {
    public static final long MAC = 0x0200_0000_0010L;
    public static final int MTU = 1500;

    public final AtomicLong nowNs = new AtomicLong(1_000_000_000_000L);
    final FramePool pool = new FramePool(4096, MTU + EthernetFrames.MAX_HEADER);
    final List<MemoryPort> ports = new ArrayList<>();
    public final Forwarder forwarder;

    public Rig(int portCount, Function<LongSupplier, List<Stage>> stages) {
        Forwarder.Builder builder = new Forwarder.Builder().clock(nowNs::get);
        int[] numbers = new int[portCount];
        for (int i = 0; i < portCount; i++) {
            ports.add(new MemoryPort("p" + i, MAC + i, pool));
            builder.port(ports.get(i));
            numbers[i] = i;
        }
        forwarder =
                builder.lane(-1, numbers).stages(() -> stages.apply(nowNs::get)).open();
    }

    public static Rig of(int portCount, Stage... stages) {
        return new Rig(portCount, _ -> List.of(stages));
    }

    /** What a stage sees that sends all to one port. */
    public static Stage toPort(int port) {
        return new Stage() {
            @Override
            public String name() {
                return "to-" + port;
            }

            @Override
            public void process(Burst burst) {
                for (int i = 0, count = burst.count(); i < count; i++) {
                    if (!burst.isDecided(i)) {
                        burst.output(i, port);
                    }
                }
            }
        };
    }

    /** Gives packets to a port, and runs until nothing moves. */
    public void offer(int port, byte[]... packets) {
        for (byte[] packet : packets) {
            assertThat(ports.get(port).offer(packet)).isTrue();
        }
        while (forwarder.cycle() > 0) {}
    }

    /** Lets time go by, a millisecond at a time. */
    public void pass(long ms) {
        for (long i = 0; i < ms; i++) {
            nowNs.addAndGet(1_000_000);
            forwarder.cycle();
        }
    }

    /** What a port has sent since it was last asked. */
    public List<byte[]> sent(int port) {
        List<byte[]> packets = new ArrayList<>();
        for (byte[] packet = ports.get(port).take();
                packet.length > 0;
                packet = ports.get(port).take()) {
            packets.add(packet);
        }
        return packets;
    }

    /** The only packet that a port has sent. */
    public byte[] only(int port) {
        List<byte[]> packets = sent(port);
        assertThat(packets).hasSize(1);
        return packets.getFirst();
    }

    /** Of the stage that has it. */
    public long drops(String cause) {
        return forwarder.statistics().drops().stream()
                .filter(drops -> drops.cause().equals(cause))
                .mapToLong(ForwardStatistics.Drops::packets)
                .sum();
    }

    public static byte[] packet(Consumer<PacketWriter> layers) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096);
            PacketWriter writer = new PacketWriter();
            writer.begin(memory, 0);
            layers.accept(writer);
            return memory.asSlice(0, writer.finish()).toArray(JAVA_BYTE);
        }
    }

    /** Layers as text, and that all their checksums are right. */
    public static String layers(byte[] packet) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(packet.length);
            MemorySegment.copy(packet, 0, memory, JAVA_BYTE, 0, packet.length);
            PacketWalker walker = new PacketWalker();
            walker.walk(memory, 0, packet.length, packet.length, LinkType.ETHERNET);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < walker.layerCount(); i++) {
                text.append(text.isEmpty() ? "" : " ").append(walker.layerType(i));
                InternetChecksum.Verdict verdict = InternetChecksum.of(walker, i);
                assertThat(verdict).as(text.toString()).isNotEqualTo(InternetChecksum.Verdict.WRONG);
            }
            return text.toString().replace(" PAYLOAD", "");
        }
    }

    public static int ipv4(String address) {
        return (int) (IpPrefix.parse(address).high() >>> 32);
    }

    public static long ipv4Long(String address) {
        return ipv4(address) & 0xffff_ffffL;
    }

    public static long u48(byte[] packet, int at) {
        long value = 0;
        for (int i = 0; i < 6; i++) {
            value = value << 8 | packet[at + i] & 0xff;
        }
        return value;
    }

    public static int u16(byte[] packet, int at) {
        return (packet[at] & 0xff) << 8 | packet[at + 1] & 0xff;
    }

    public static int u32(byte[] packet, int at) {
        return u16(packet, at) << 16 | u16(packet, at + 2);
    }

    /** Every packet is accounted for, every buffer came back. */
    @Override
    public void close() {
        forwarder.cycle();
        ForwardStatistics statistics = forwarder.statistics();
        assertThat(statistics.isBalanced()).as(statistics.toString()).isTrue();
        ports.forEach(port -> {
            while (port.take().length > 0) {}
        });
        assertThat(pool.available()).isEqualTo(4096);
        forwarder.close();
        pool.close();
    }
}
