package io.offhook.dpdk;

import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.LiveCounts;
import io.offhook.live.LiveSource;
import io.offhook.live.packetsocket.PacketSocketOptions;
import io.offhook.live.packetsocket.PacketSocketSource;
import io.offhook.packet.FrameBatch;
import io.offhook.packet.MacAddress;
import io.offhook.testkit.network.FrameSocket;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A process of a test, for a network namespace of its own and an EAL of its own: devices that have the kernel below them.
 * It prints what it got, a line a packet, and what it counted; standard input says when to go on.
 */
final class NamespaceMain {
    private NamespaceMain() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "capture" -> capture(arguments[1], arguments[2], Integer.parseInt(arguments[3]));
            case "twice" -> twice(arguments[1]);
            case "loopback" -> loopback();
            case "again" -> again(arguments[1]);
            case "send" -> send(arguments[1], Integer.parseInt(arguments[2]));
            case "long" -> sendLong(arguments[1]);
            case "tap" -> tap(arguments[1], Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        Eal eal = Eal.running();
        if (eal != null) {
            eal.close();
        }
        System.out.println("closed");
    }

    /** A frame of its number, none of any protocol that the kernel would answer. */
    static byte[] frame(int number) {
        byte[] frame = TestEal.packet(60 + number * 37 % 1454, number);
        Arrays.fill(frame, 0, 12, (byte) 2);
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xb5;
        frame[14] = (byte) (number >>> 8);
        frame[15] = (byte) number;
        return frame;
    }

    /** One to a single address, as the kernel's own way back takes no other. */
    static byte[] longFrame(int bytes) {
        byte[] frame = TestEal.packet(bytes, 1);
        Arrays.fill(frame, 0, 12, (byte) 2);
        return frame;
    }

    static String reported(byte[] frame) {
        return frame.length + " " + Arrays.hashCode(frame);
    }

    /** Captures until it is told to stop; where it is told {@code slow}, it begins once all was sent. */
    private static void capture(String device, String pace, int descriptors) throws Exception {
        try (DpdkSource source = DpdkSource.open(DpdkSourceOptions.of(device).withBuffers(16_383, descriptors), "")) {
            EthPort port = source.port();
            System.out.println(
                    "port " + port.info().driverName() + " " + port.rxQueue(0).isCritical() + " "
                            + port.link().isUp() + " " + port.mtu() + " " + port.isPromiscuous() + " "
                            + MacAddress.text(port.macAddress())
                                    .equals(Objects.requireNonNull(NetworkDevice.named(device))
                                            .linkAddress()));
            Thread stopper = Thread.ofPlatform().daemon().start(() -> {
                readLine();
                source.stop();
            });
            if (pace.equals("slow")) {
                stopper.join();
            }
            print(source);
        }
    }

    /** A capture, another of the same interface, and a port on it that lives longer. */
    private static void twice(String device) {
        DpdkSourceOptions options = DpdkSourceOptions.of(device).withMbufs(4095);
        DpdkSource source = DpdkSource.open(options, "");
        Eal eal = Objects.requireNonNull(Eal.running());
        try (Mempool pool = eal.mempool("other", 4095, 0, 2048);
                EthPort other = eal.add("net_af_packet77,iface=" + device)) {
            try (source) {
                other.start(EthPortOptions.ofQueues(1, 1), pool);
                DpdkSource.open(options, "").close();
                System.out.println("opened");
            } catch (DpdkException e) {
                System.out.println(e.getMessage());
            }
            System.out.println("missed " + other.statistics().missedPackets());
        }
    }

    /** The interface with the longest packets of all. */
    private static void loopback() {
        try (DpdkSource source = DpdkSource.open(DpdkSourceOptions.of("lo").withBuffers(1023, 64), "");
                FrameSocket sender = new FrameSocket("lo")) {
            sender.send(frame(1));
            sender.send(longFrame(source.longestFrameBytes()));
            source.stop();
            print(source);
        }
    }

    /** Starts a port, stops it, and starts it. */
    private static void again(String device) {
        Eal eal = Eal.start(EalOptions.virtual().withDevices("net_af_packet0,iface=" + device));
        try (Mempool pool = eal.mempool("again", 4095, 256, 2048);
                EthPort port = eal.port("net_af_packet0")) {
            port.start(EthPortOptions.ofQueues(1, 1), pool);
            port.stop();
            try {
                port.start(EthPortOptions.ofQueues(1, 1), pool);
                System.out.println("started again");
            } catch (DpdkException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static void print(LiveSource source) {
        FrameBatch batch = new FrameBatch(256);
        while (source.next(batch)) {
            for (int i = 0; i < batch.count(); i++) {
                System.out.println("frame "
                        + reported(batch.segmentOf(i)
                                .asSlice(batch.offset(i), batch.capturedLength(i))
                                .toArray(ValueLayout.JAVA_BYTE)));
            }
        }
        LiveCounts counts = source.counts();
        source.faults().forEach(fault -> System.out.println("fault " + fault.message()));
        if (source instanceof DpdkSource dpdk) {
            System.out.println("longest " + dpdk.longestFrameBytes());
        }
        System.out.println("counts " + counts.received() + " " + counts.delivered() + " " + counts.drops());
    }

    /** Reads a byte at a time: what comes behind the line is for others. */
    private static void readLine() {
        try {
            int next = System.in.read();
            while (next >= 0 && next != '\n') {
                next = System.in.read();
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Sends numbered frames by net_af_packet. */
    private static void send(String device, int count) throws Exception {
        Eal eal = Eal.start(EalOptions.virtual().withDevices("net_af_packet0,iface=" + device));
        try (RegisteredThread _ = eal.registerThread();
                Mempool pool = eal.mempool("send", 4095, 256, 2048)) {
            try (EthPort port = eal.port("net_af_packet0")) {
                port.start(EthPortOptions.ofQueues(1, 1), pool);
                transmit(port, pool, count);
                port.stop();
                System.out.println("sent " + port.statistics().sentPackets());
            }
            System.out.println("in use " + pool.inUse());
        }
    }

    private static void transmit(EthPort port, Mempool pool, int count) throws InterruptedException {
        MbufArray burst = new MbufArray(32);
        for (int number = 0; number < count || !burst.isEmpty(); ) {
            while (!burst.isFull() && number < count) {
                burst.add(pool.copy(MbufTemplate.of(frame(number++))));
            }
            if (port.txQueue(0).send(burst) == 0) {
                Thread.sleep(1); // the kernel's queue is full
            }
        }
    }

    /** One frame that a ring for 9,000 bytes takes, and one that it does not. */
    private static void sendLong(String device) {
        try (FrameSocket sender = new FrameSocket(device)) {
            sender.send(TestEal.packet(16_304, 1));
            sender.send(TestEal.packet(20_000, 2));
        }
        System.out.println("sent 2");
    }

    /** A tap: what DPDK sends the kernel receives, and the other way round. */
    private static void tap(String name, int count) throws Exception {
        try (DpdkSource source = DpdkSource.open(DpdkSourceOptions.of("net_tap0,iface=" + name), "");
                PacketSocketSource kernel = PacketSocketSource.open(PacketSocketOptions.of(name), "")) {
            System.out.println("port " + source.port().info().driverName() + " "
                    + source.port().rxQueue(0).isCritical());
            transmit(source.port(), source.pool(), count);
            kernel.stop();
            List<String> got = new ArrayList<>();
            FrameBatch batch = new FrameBatch(256);
            while (kernel.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    got.add(reported(batch.segmentOf(i)
                            .asSlice(batch.offset(i), batch.capturedLength(i))
                            .toArray(ValueLayout.JAVA_BYTE)));
                }
            }
            for (int number = 0; number < count; number++) {
                if (!got.get(number).equals(reported(frame(number)))) {
                    throw new AssertionError("frame " + number + " is " + got.get(number));
                }
            }
            System.out.println("kernel got " + got.size());
            try (FrameSocket sender = new FrameSocket(name)) {
                for (int number = 0; number < count; number++) {
                    sender.send(frame(number));
                }
            }
            source.stop();
            print(source);
        }
    }
}
