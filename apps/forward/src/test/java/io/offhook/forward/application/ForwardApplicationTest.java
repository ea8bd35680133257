package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigDifference;
import io.offhook.forward.Burst;
import io.offhook.forward.Bytes;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Forwarder;
import io.offhook.forward.FramePool;
import io.offhook.forward.PacketBuffers;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.Rig;
import io.offhook.forward.SendQueue;
import io.offhook.forward.port.MemoryPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application that a configuration describes, on ports in memory, and its reload. */
@Timeout(60)
class ForwardApplicationTest {
    static final String ROUTER = """
            ports:
              - {name: lan, interface: eth1, addresses: [10.0.0.1/24]}
              - {name: wan, interface: eth2, addresses: [10.0.1.1/24]}
            lanes:
              - ports: [lan, wan]
            stages:
              - decode
              - filter:
                  rules: [{action: deny, match: udp port 7}]
              - nat-destination: {outside: [wan]}
              - route:
                  routes:
                    - {to: 192.168.0.0/16, via: 10.0.1.254}
                  neighbors:
                    - {port: wan, address: 10.0.1.254, mac: "02:00:00:00:00:fe"}
              - nat-source: {outside: [wan]}
            nat:
              - {outside: 10.0.1.9, inside: 10.0.0.9}
            """;

    private static final String TWO = """
            ports:
              - {name: a, interface: e1, addresses: [10.0.0.1/8]}
              - {name: b, interface: e2, addresses: [10.1.0.1/16, "2001:db8::1/64"]}
              - {name: c, interface: e3}
            lanes: [{ports: [a, b, c]}]
            stages:
              - route:
                  ports: [a, b]
                  routes:
                    - {to: 192.168.0.0/16, via: 10.1.0.254}
                  neighbors:
                    - {port: b, address: 10.1.0.254, mac: "02:00:00:00:00:fe"}
            """;

    private static ForwardConfig read(String text) {
        return ForwardConfig.reader().read(text, "f.yaml");
    }

    private static final class Running implements AutoCloseable {
        final FramePool pool = new FramePool(1024, 1522);
        final AtomicLong nowNs = new AtomicLong(1_000_000_000_000L);
        final List<MemoryPort> ports = new ArrayList<>();
        final ForwardApplication application;

        Running(String text) {
            application = ForwardApplication.open(
                    read(text),
                    port -> {
                        ports.add(new MemoryPort(port.name(), Rig.MAC + ports.size(), pool));
                        return ports.getLast();
                    },
                    nowNs::get,
                    Forwarder.STOP_MS);
        }

        List<byte[]> through(int from, int to, byte[] packet) {
            ports.get(from).offer(packet);
            application.forwarder().cycle();
            List<byte[]> sent = new ArrayList<>();
            for (byte[] one = ports.get(to).take();
                    one.length > 0;
                    one = ports.get(to).take()) {
                sent.add(one);
            }
            return sent;
        }

        @Override
        public void close() {
            assertThat(application.forwarder().statistics().isBalanced()).isTrue();
            application.close();
            pool.close();
        }
    }

    /** Gives each packet of a list in one burst; tells when the first of its buffers is free. */
    private static final class RecordingPort extends RehearsedPort implements ReceiveQueue, SendQueue, PacketBuffers {
        final List<byte[]> packets = new ArrayList<>();
        final FramePool pool;
        Runnable whenFreed = () -> {};
        int sent;
        boolean isClosed;

        RecordingPort(FramePool pool) {
            super("telling", Rig.MAC);
            this.pool = pool;
        }

        @Override
        public int receive(Burst burst, int port) {
            for (byte[] packet : packets) {
                int frame = pool.take();
                Bytes.put(packet, pool.address(frame));
                int i = burst.add(this, frame, pool.address(frame), packet.length, FramePool.HEADROOM, 0);
                burst.received(i, port, 0);
            }
            int count = packets.size();
            packets.clear();
            return count;
        }

        @Override
        public void free(long handle) {
            pool.free(handle);
            whenFreed.run();
            whenFreed = () -> {};
        }

        @Override
        public int send(Burst burst, int[] indexes, int count) {
            sent += count;
            return count;
        }

        @Override
        public long copies() {
            return 0;
        }

        @Override
        public boolean put(int queue, byte[] packet) {
            return packets.add(packet);
        }

        @Override
        public void open(int receiveQueues, int sendQueues) {
            receiveBy(this);
            sendBy(this);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private static List<StageFigure.RuleCount> rules(ForwardApplication application) {
        return application.figures().stream()
                .filter(StageFigure.RuleCount.class::isInstance)
                .map(StageFigure.RuleCount.class::cast)
                .toList();
    }

    private static List<String> reload(Running running, String text) {
        return running.application.reload(read(text)).stream()
                .map(ConfigDifference::toString)
                .toList();
    }

    private static byte[] udp(String source, String destination, int port) {
        return Rig.packet(w -> w.ethernet(7, Rig.MAC)
                .ipv4(Rig.ipv4Long(source), Rig.ipv4Long(destination))
                .udp(1, port));
    }

    @Test
    void runsWhatItDescribes() {
        try (Running running = new Running(ROUTER)) {
            assertThat(running.through(0, 1, udp("10.0.0.2", "192.168.0.1", 7))).isEmpty();
            byte[] sent =
                    running.through(0, 1, udp("10.0.0.9", "192.168.0.1", 8)).getFirst();
            assertThat(Rig.u48(sent, 0)).isEqualTo(0x0200_0000_00feL);
            assertThat(Rig.u32(sent, 26)).isEqualTo(Rig.ipv4("10.0.1.9"));
            Rig.layers(sent);
        }
    }

    @Test
    void exchangesTablesWithoutLosingAPacket() {
        try (Running running = new Running(ROUTER)) {
            byte[] seven = udp("10.0.0.2", "192.168.0.1", 7);
            assertThat(running.through(0, 1, seven)).isEmpty();
            String other = ROUTER.replace("udp port 7", "udp port 8")
                    .replace(":fe", ":fd")
                    .replace("inside: 10.0.0.9", "inside: 10.0.0.2");
            assertThat(rules(running.application)).containsExactly(new StageFigure.RuleCount("deny", "udp port 7", 1));
            assertThat(running.application.reload(read(other))).isEmpty();
            assertThat(rules(running.application)).containsExactly(new StageFigure.RuleCount("deny", "udp port 8", 0));
            byte[] sent = running.through(0, 1, seven).getFirst();
            assertThat(Rig.u48(sent, 0)).isEqualTo(0x0200_0000_00fdL);
            assertThat(Rig.u32(sent, 26)).isEqualTo(Rig.ipv4("10.0.1.9"));
            // what only moved in the file is the same
            assertThat(running.application.reload(read("# more\n" + other))).isEmpty();
        }
    }

    @Test
    void exchangesTheRoutersAddresses() {
        try (Running running = new Running(ROUTER)) {
            byte[] question = Rig.packet(w -> w.ethernet(7, EthernetFrames.BROADCAST)
                    .arp(1, 7, Rig.ipv4Long("10.0.0.2"), 0, Rig.ipv4Long("10.0.0.7")));
            assertThat(running.through(0, 0, question)).isEmpty();
            assertThat(running.application.reload(read(ROUTER.replace("10.0.0.1/24", "10.0.0.7/24"))))
                    .isEmpty();
            assertThat(running.through(0, 0, question)).hasSize(1);
        }
    }

    @Test
    void countsWhatItsTablesHaveNoRoomFor() {
        String bridge = """
                ports: [{name: a, interface: e1}, {name: b, interface: e2}]
                lanes: [{ports: [a, b]}]
                stages: [{bridge: {table-size: 8}}]
                """;
        try (Running running = new Running(bridge)) {
            for (int i = 1; i <= 20; i++) {
                long source = i + 1L;
                running.through(0, 1, Rig.packet(w -> w.ethernet(source, 1).arp(1, source, 1, 1, 1)));
            }
            assertThat(running.application.figures())
                    .containsExactly(new StageFigure.TableCount(
                            "bridge", 8, 12, "addresses gave way to others (key table-size)"));
        }
        String router = ROUTER.replace("  - route:\n", "  - route:\n      neighbor-table: 16\n");
        try (Running running = new Running(router)) {
            for (int i = 1; i <= 20; i++) {
                long source = i + 1L;
                running.through(
                        0,
                        0,
                        Rig.packet(w -> w.ethernet(source, EthernetFrames.BROADCAST)
                                .arp(1, source, Rig.ipv4Long("10.0.0.0") + 20 + source, 0, Rig.ipv4Long("10.0.0.1"))));
            }
            // half of it is for those whom the router asked
            assertThat(running.application.figures())
                    .contains(new StageFigure.TableCount(
                            "route", 8, 12, "neighbours were refused (key neighbor-table), or arrived too fast"));
        }
    }

    @Test
    void saysWhatNeedsANewStart() {
        try (Running running = new Running(ROUTER)) {
            assertThat(reload(running, ROUTER.replace("eth2", "eth3")))
                    .containsExactly("f.yaml:3:28: ports[1].interface: eth3; it was eth2 in line 3");
            assertThat(reload(running, ROUTER.replace("  - decode\n", "")))
                    .containsExactly("f.yaml:7:3: stages[0]: is gone; it was decode in line 7");
            byte[] packet = udp("10.0.0.2", "192.168.0.1", 9);
            assertThat(running.through(0, 1, packet)).hasSize(1);
        }
    }

    @Test
    void saysThatThereIsOneMoreOfAKind() {
        String one = ROUTER.replace("  - decode\n", "  - decode\n  - vlan-pop: {from: [lan]}\n");
        try (Running running = new Running(one)) {
            String two = one.replace("  - decode\n", "  - decode\n  - vlan-pop: {from: [lan]}\n");
            assertThat(reload(running, two)).containsExactly("f.yaml:9:5: stages[2]: {vlan-pop: {from: [lan]}} is new");
            String later = ROUTER.replace("  - nat-source", "  - vlan-pop: {from: [lan]}\n  - nat-source");
            assertThat(reload(running, later))
                    .containsExactly(
                            "f.yaml:7:3: stages[1]: is gone; it was {vlan-pop: {from: [lan]}} in line 8",
                            "f.yaml:16:5: stages[4]: {vlan-pop: {from: [lan]}} is new");
        }
    }

    @Test
    void exchangesAddressesOfABridge(@TempDir Path folder) {
        String bridge = """
                ports: [{name: a, interface: e1}, {name: b, interface: e2}, {name: c, interface: e3}]
                lanes: [{ports: [a, b, c]}]
                stages:
                  - mirror: {file: FILE, match: arp}
                  - bridge: {addresses: [{mac: "02:00:00:00:00:77", port: b}]}
                """.replace("FILE", folder.resolve("m.pcapng").toString());
        byte[] packet = Rig.packet(w -> w.ethernet(7, 0x0200_0000_0077L).arp(1, 7, 1, 1, 1));
        Path file;
        try (Running running = new Running(bridge)) {
            assertThat(running.through(0, 1, packet)).hasSize(1);
            assertThat(running.application.reload(read(bridge.replace("port: b", "port: c"))))
                    .isEmpty();
            assertThat(running.through(0, 2, packet)).hasSize(1);
            assertThat(running.through(0, 1, packet)).isEmpty();
            file = folder.resolve("m.pcapng");
            assertThat(running.application.figures())
                    .filteredOn(StageFigure.FileCount.class::isInstance)
                    .hasSize(1);
        }
        assertThat(file).isNotEmptyFile();
    }

    @Test
    void findsAGatewayByTheLongestPrefix() {
        try (Running running = new Running(TWO)) {
            assertThat(running.through(0, 1, udp("10.0.0.2", "192.168.0.1", 9)))
                    .singleElement()
                    .satisfies(sent -> assertThat(Rig.u48(sent, 0)).isEqualTo(0x0200_0000_00feL));
        }
    }

    /** Hosts outside would look for them in vain, else. */
    @Test
    void answersArpForNamesOutsideThatAreInTheNetworkOfItsPort() {
        try (Running running = new Running(ROUTER)) {
            byte[] question = Rig.packet(w -> w.ethernet(7, EthernetFrames.BROADCAST)
                    .arp(1, 7, Rig.ipv4Long("10.0.1.254"), 0, Rig.ipv4Long("10.0.1.9")));
            assertThat(running.through(1, 1, question))
                    .containsExactly(Rig.packet(w -> w.ethernet(Rig.MAC + 1, 7)
                            .arp(2, Rig.MAC + 1, Rig.ipv4Long("10.0.1.9"), 7, Rig.ipv4Long("10.0.1.254"))));
            assertThat(running.application.reload(read(ROUTER.replace("outside: 10.0.1.9", "outside: 10.0.1.8"))))
                    .isEmpty();
            assertThat(running.through(1, 1, question)).isEmpty();
        }
    }

    /** What it reads and writes is not taken from it. */
    @Test
    void reportsALaneThatStallsAndClosesItsPortsWhenItHasEnded(@TempDir Path folder) throws InterruptedException {
        String config = """
                ports: [{name: a, interface: e0}]
                lanes: [{ports: [a]}]
                stages: [{filter: {rules: [{action: deny, match: udp port 7}]}}, {mirror: {file: FILE}}, bridge]
                """.replace("FILE", folder.resolve("m.pcapng").toString());
        CountDownLatch isStalled = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (FramePool pool = new FramePool(64, Rig.MTU + EthernetFrames.MAX_HEADER)) {
            RecordingPort port = new RecordingPort(pool);
            port.packets.addAll(List.of(udp("10.0.0.1", "10.0.0.2", 7), udp("10.0.0.1", "10.0.0.2", 8)));
            port.whenFreed = () -> { // the filter has dropped the first
                isStalled.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
            ForwardApplication application = ForwardApplication.open(read(config), _ -> port, System::nanoTime, 20);
            application.forwarder().start();
            isStalled.await();
            assertThatThrownBy(application::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("forward-0 did not end within 20 ms");
            assertThat(port.isClosed).isFalse();
            mayGoOn.countDown();
            while (!application.forwarder().isQuiet()) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.onSpinWait();
            }
            application.close();
            assertThat(port.isClosed).isTrue();
            assertThat(application.figures())
                    .contains(new StageFigure.FileCount(folder.resolve("m.pcapng"), 1, 0, null));
            assertThat(application.forwarder().statistics().isBalanced()).isTrue();
        }
    }

    @Test
    void takesTheTablesOfAllStagesTogetherBetweenTwoBursts() {
        String before = """
                ports: [{name: a, interface: e0}, {name: b, interface: e1}]
                lanes: [{ports: [a, b]}]
                stages:
                  - filter: {rules: [{action: deny, match: udp port 7}]}
                  - filter: {rules: [{action: count, match: udp port 8}]}
                  - bridge
                """;
        byte[] denied = Rig.packet(w -> w.ethernet(1L << 41, 4).ipv4(1, 2).udp(1, 7));
        byte[] counted = Rig.packet(w -> w.ethernet(1L << 41, 4).ipv4(1, 2).udp(1, 8));
        List<RecordingPort> ports = new ArrayList<>();
        try (FramePool pool = new FramePool(64, Rig.MTU + EthernetFrames.MAX_HEADER);
                ForwardApplication application = ForwardApplication.open(
                        read(before),
                        _ -> {
                            ports.add(new RecordingPort(pool));
                            return ports.getLast();
                        },
                        () -> 0,
                        Forwarder.STOP_MS)) {
            RecordingPort in = ports.getFirst();
            RecordingPort out = ports.getLast();
            in.packets.addAll(List.of(denied, counted));
            // when the first filter has dropped a packet, before the second one sees the other
            in.whenFreed = () -> {
                assertThat(application.reload(read(before.replace("action: count", "action: deny"))))
                        .isEmpty();
                assertThat(application.reload(read(
                                before.replace("action: count", "action: deny").replace("port 7", "port 9"))))
                        .isEmpty();
            };
            application.forwarder().cycle();
            assertThat(out.sent).isEqualTo(1);
            in.packets.addAll(List.of(denied, counted));
            application.forwarder().cycle();
            assertThat(out.sent).isEqualTo(2);
            assertThat(rules(application))
                    .extracting(StageFigure.RuleCount::packets)
                    .containsExactly(0L, 1L);
        }
    }
}
