package io.offhook.doctor;

import io.offhook.linux.network.Ethtool.Channels;
import io.offhook.linux.network.Ethtool.Feature;
import io.offhook.linux.network.Ethtool.Rings;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import io.offhook.linux.network.QueueingDiscipline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A machine of the resources: its files, and what its kernel would tell when asked. A resource has a line {@code ===
 * PATH} before each file.
 */
final class KeptMachine implements KernelTables {
    private static final Pattern FILE = Pattern.compile("(?m)^=== (\\S+)\n");

    private final Path root;
    private @Nullable List<KernelSocket> sockets = List.of();
    private List<QueueingDiscipline> queues = List.of();
    private Card card = Card.UNKNOWN;
    private final Map<String, Long> driverCounters = new HashMap<>();
    private final Doctor doctor;

    private KeptMachine(String name, Path folder) {
        root = folder;
        String text = resource(name);
        Matcher file = FILE.matcher(text);
        boolean isThere = file.find();
        while (isThere) {
            String path = file.group(1);
            int start = file.end();
            isThere = file.find();
            write(path, text.substring(start, isThere ? file.start() : text.length()));
        }
        doctor = new Doctor(new SystemTree(root), this, List.of());
    }

    /** A session border controller of 10 Gb/s, as it came out of the box, that has lost packets. */
    static KeptMachine outOfTheBox(Path folder) {
        return new KeptMachine("sbc-10g", folder.resolve("sbc-10g")).card(512, true);
    }

    /** The same after all was done that is advised. */
    static KeptMachine tuned(Path folder) {
        return new KeptMachine("tuned-10g", folder.resolve("tuned-10g")).card(4096, false);
    }

    static KeptMachine container(Path folder) {
        return new KeptMachine("container", folder.resolve("container")).sockets(null);
    }

    private static String resource(String name) {
        try (InputStream in = KeptMachine.class.getResourceAsStream("/machines/" + name + ".txt")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path root() {
        return root;
    }

    /** Another text in a file. */
    KeptMachine write(String path, String text) {
        Path file = root.resolve(path.substring(1));
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    KeptMachine without(String path) {
        try {
            Files.delete(root.resolve(path.substring(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** A card of 10 Gb/s as ixgbe tells of it. */
    KeptMachine card(int ring, boolean hasLro) {
        card = new Card(
                "ixgbe",
                new Rings(ring, 4096, 512, 4096),
                new Channels(0, 0, 0, 0, 4, 63),
                List.of(
                        new Feature("rx-gro", true, false),
                        new Feature("tx-tcp-segmentation", true, false),
                        new Feature("rx-lro", hasLro, false),
                        new Feature("rx-gro-hw", true, true)));
        return this;
    }

    /** The card's queues are others. */
    KeptMachine channels(Channels channels) {
        card = new Card(card.driver(), card.rings(), channels, card.features());
        return this;
    }

    KeptMachine driver(String counter, long value) {
        driverCounters.put(counter, value);
        return this;
    }

    /** A UDP socket of inode 48213. */
    KeptMachine socket(long waiting, long limit, long drops) {
        sockets = List.of(new KernelSocket(
                Kind.UDP,
                "0.0.0.0:5060",
                "",
                0,
                new KernelSocket.Owner(48213, 998),
                new KernelSocket.Memory(waiting, limit, 0, 212_992, 0),
                drops));
        return this;
    }

    KeptMachine sockets(@Nullable List<KernelSocket> all) {
        sockets = all;
        return this;
    }

    KeptMachine queue(String kind, long packets, long drops) {
        queues = List.of(new QueueingDiscipline(2, kind, 0, QueueingDiscipline.ROOT, packets, packets * 214, drops));
        return this;
    }

    KeptMachine queues(QueueingDiscipline... all) {
        queues = List.of(all);
        return this;
    }

    /** The doctor that looks at it; the same each time. */
    Doctor doctor() {
        return doctor;
    }

    DoctorReport report() {
        doctor.look();
        return doctor.report();
    }

    @Override
    public @Nullable List<KernelSocket> udpSockets(SystemTree tree) {
        if (sockets == null) {
            tree.note("how much UDP sockets may hold", "sock_diag", "ask by netlink: ENOENT", "modprobe udp_diag");
        }
        return sockets;
    }

    @Override
    public List<KernelSocket> packetSockets(SystemTree tree) {
        return List.of();
    }

    @Override
    public List<QueueingDiscipline> queues(SystemTree tree) {
        return queues;
    }

    @Override
    public Card card(String interfaceName, SystemTree tree) {
        return card;
    }

    @Override
    public Map<String, Long> driverCounters(String interfaceName, SystemTree tree) {
        return Map.copyOf(driverCounters);
    }
}
