package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import io.offhook.linux.network.QueueingDiscipline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/** Selects the counters that mean lost packets, and computes their growth between two samples. */
final class Losses {
    /** Names of drop counters; each driver uses its own. */
    private static final Pattern DRIVER_DROP =
            Pattern.compile("drop|miss|fifo|no_?buf|no_dma|no_desc|out_of_buf|discard|overrun|overflow|no_resource");

    /** Names that match but do not mean loss: flow director, flow steering, XDP programs, page caches. */
    private static final Pattern NO_DROP = Pattern.compile("fdir|steer|xdp|cache|filter");

    /**
     * Counters of the send direction: {@code tx_dropped}, {@code port.tx_errors}, {@code vf_tx_dropped},
     * {@code [0]: tx_discards}.
     */
    private static final Pattern SENT = Pattern.compile("(?<![a-z])tx");

    private static final List<String> CARD_COUNTERS = List.of("rx_missed_errors", "rx_fifo_errors", "rx_over_errors");

    private final Sample before;
    private final Sample now;
    private final Map<Integer, String> interfaceNames;
    private final List<Loss> losses = new ArrayList<>();

    private Losses(Sample before, Sample now, Map<Integer, String> interfaceNames) {
        this.before = before;
        this.now = now;
        this.interfaceNames = interfaceNames;
    }

    /** All losses since the counters began; among those of one cause, the fastest growing first. */
    static List<Loss> between(Sample before, Sample now, Map<Integer, String> interfaceNames) {
        Losses losses = new Losses(before, now, interfaceNames);
        losses.sockets();
        losses.protocols();
        losses.processors();
        losses.interfaces();
        losses.queues();
        losses.losses.sort(Comparator.comparing(Loss::cause)
                .thenComparing(Loss::grown, Comparator.reverseOrder())
                .thenComparing(Loss::total, Comparator.reverseOrder()));
        return List.copyOf(losses.losses);
    }

    /**
     * The losses that grew; drops reported by UDP sockets are not repeated for the protocol.
     *
     * @param unreported drops that UDP counted and no socket reported
     */
    static List<Loss> growing(List<Loss> losses, long unreported) {
        return losses.stream()
                .map(loss ->
                        loss.cause() == Cause.UDP_RECEIVE ? loss.withGrown(Math.min(unreported, loss.grown())) : loss)
                .filter(loss -> loss.grown() > 0)
                .toList();
    }

    /** The growth of the drops of UDP sockets. */
    static long ofSockets(List<Loss> losses) {
        return losses.stream()
                .filter(loss -> loss.cause() == Cause.SOCKET)
                .mapToLong(Loss::grown)
                .sum();
    }

    /** The growth of a UDP counter, over IPv4 and IPv6. */
    static long udpGrown(Sample before, Sample now, String counter) {
        return grown(before.protocol("Udp." + counter), now.protocol("Udp." + counter))
                + grown(before.protocol("Udp6." + counter), now.protocol("Udp6." + counter));
    }

    /** Whether a socket's queue is at least one tenth full. */
    static boolean isFilling(KernelSocket socket) {
        return socket.memory().receiveLimit() > 0
                && socket.memory().ringBytes() == 0
                && socket.memory().receiveBytes() * 10 >= socket.memory().receiveLimit();
    }

    private static long grown(long then, long now) {
        // a counter that has become smaller was reset
        return Math.max(0, now - then);
    }

    private void add(Cause cause, String subject, String counters, long total, long grown) {
        if (total > 0) {
            losses.add(new Loss(cause, subject, counters, total, grown, 0, 0));
        }
    }

    private void sockets() {
        Map<Long, KernelSocket> then = byInode(before);
        for (KernelSocket socket : now.sockets()) {
            if (socket.drops() > 0) {
                KernelSocket earlier = then.get(socket.owner().inode());
                losses.add(new Loss(
                        socket.kind() == Kind.PACKET ? Cause.PACKET_SOCKET : Cause.SOCKET,
                        now.reported(socket, interfaceNames),
                        "drops",
                        socket.drops(),
                        // a new socket dropped everything since the first look
                        earlier == null ? socket.drops() : grown(earlier.drops(), socket.drops()),
                        socket.memory().receiveBytes(),
                        socket.memory().receiveLimit()));
            }
        }
    }

    static Map<Long, KernelSocket> byInode(Sample sample) {
        Map<Long, KernelSocket> sockets = new HashMap<>();
        sample.sockets().forEach(socket -> sockets.put(socket.owner().inode(), socket));
        return sockets;
    }

    private void protocols() {
        // includes each drop of a socket, but sockets come and go
        protocol(Cause.UDP_RECEIVE, "Udp.RcvbufErrors", "Udp6.RcvbufErrors");
        protocol(Cause.UDP_SEND, "Udp.SndbufErrors", "Udp6.SndbufErrors");
        protocol(Cause.UDP_MEMORY, "Udp.MemErrors", "Udp6.MemErrors");
        protocol(Cause.UDP_CHECKSUM, "Udp.InCsumErrors", "Udp6.InCsumErrors");
        protocol(Cause.CONNTRACK, "conntrack.drop");
        protocol(Cause.REVERSE_PATH, "TcpExt.IPReversePathFilter");
        protocol(Cause.REASSEMBLY, "Ip.ReasmFails", "Ip6.ReasmFails");
        protocol(Cause.LISTEN, "TcpExt.ListenDrops");
    }

    private void protocol(Cause cause, String... names) {
        long total = 0;
        long grown = 0;
        List<String> counters = new ArrayList<>();
        for (String name : names) {
            long value = now.protocol(name);
            total += value;
            grown += grown(before.protocol(name), value);
            if (value > 0) {
                counters.add(name);
            }
        }
        add(cause, "", String.join(", ", counters), total, grown);
    }

    private void processors() {
        for (SoftnetStat stat : now.softnet()) {
            String subject = "CPU " + stat.processor();
            add(Cause.BACKLOG, subject, "dropped", stat.dropped(), softnetGrown(stat, SoftnetStat::dropped));
            add(
                    Cause.FLOW_LIMIT,
                    subject,
                    "flow_limit_count",
                    stat.flowLimited(),
                    softnetGrown(stat, SoftnetStat::flowLimited));
        }
    }

    private long softnetGrown(SoftnetStat stat, ToLongFunction<SoftnetStat> counter) {
        return before.softnet().stream()
                .filter(earlier -> earlier.processor() == stat.processor())
                .mapToLong(earlier -> grown(counter.applyAsLong(earlier), counter.applyAsLong(stat)))
                .findFirst()
                .orElse(0);
    }

    private void interfaces() {
        now.interfaces().forEach((name, kernels) -> {
            Counters card = new Counters(name);
            CARD_COUNTERS.forEach(card::addKernels);
            Counters send = new Counters(name);
            send.addKernels("tx_dropped");
            send.addKernels("tx_fifo_errors");
            for (String counter : now.drivers().getOrDefault(name, Map.of()).keySet()) {
                String lower = counter.toLowerCase(Locale.ROOT);
                // ixgbe and i40e list the kernel's counters among their own: rx_dropped does not concern the card
                boolean isKernels = kernels.containsKey(counter);
                if (!isKernels
                        && DRIVER_DROP.matcher(lower).find()
                        && !NO_DROP.matcher(lower).find()) {
                    (SENT.matcher(lower).find() ? send : card).addDrivers(counter);
                }
            }
            add(Cause.CARD, name, card.reported(), card.total, card.grown);
            Counters receive = new Counters(name);
            receive.addKernels("rx_dropped");
            add(Cause.INTERFACE_RECEIVE, name, receive.reported(), receive.total, receive.grown);
            add(Cause.INTERFACE_SEND, name, send.reported(), send.total, send.grown);
        });
    }

    /** Several counters of the same packets: the largest one counts. */
    private final class Counters {
        private static final int MOST_NAMES = 4;

        private final String name;
        private final List<String> names = new ArrayList<>();
        private long total;
        private long grown;

        Counters(String name) {
            this.name = name;
        }

        void addKernels(String counter) {
            add(counter, before.ofInterface(name, counter), now.ofInterface(name, counter));
        }

        void addDrivers(String counter) {
            add(
                    counter,
                    before.drivers().getOrDefault(name, Map.of()).getOrDefault(counter, 0L),
                    now.drivers().getOrDefault(name, Map.of()).getOrDefault(counter, 0L));
        }

        private void add(String counter, long then, long value) {
            total = Math.max(total, value);
            grown = Math.max(grown, Losses.grown(then, value));
            if (value > 0) {
                names.add(counter);
            }
        }

        String reported() {
            List<String> first = names.subList(0, Math.min(MOST_NAMES, names.size()));
            int more = names.size() - first.size();
            return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
        }
    }

    private void queues() {
        for (QueueingDiscipline queue : now.queues()) {
            // the counters of a parent include those of its children
            if (queue.drops() > 0 && queue.parent() == QueueingDiscipline.ROOT && isLookedAt(queue)) {
                losses.add(new Loss(
                        Cause.QUEUEING,
                        interfaceName(queue) + ", " + queue.kind(),
                        "drops",
                        queue.drops(),
                        grown(earlier(queue, QueueingDiscipline::drops), queue.drops()),
                        queue.packets(),
                        0));
            }
        }
    }

    /** Whether the queue belongs to an examined interface, or to one that appeared since. */
    private boolean isLookedAt(QueueingDiscipline queue) {
        String name = interfaceNames.get(queue.interfaceIndex());
        return name == null || now.interfaces().containsKey(name);
    }

    private String interfaceName(QueueingDiscipline queue) {
        return interfaceNames.getOrDefault(queue.interfaceIndex(), "interface " + queue.interfaceIndex());
    }

    private long earlier(QueueingDiscipline queue, ToLongFunction<QueueingDiscipline> figure) {
        return before.queues().stream()
                .filter(one -> one.interfaceIndex() == queue.interfaceIndex()
                        && one.handle() == queue.handle()
                        && one.parent() == queue.parent())
                .mapToLong(figure)
                .findFirst()
                .orElse(0);
    }

    /** Queues that grew to a considerable length. */
    static List<QueueLevel> filling(Sample before, Sample now, Map<Integer, String> interfaceNames) {
        List<QueueLevel> levels = new ArrayList<>();
        Map<Long, KernelSocket> then = byInode(before);
        for (KernelSocket socket : now.sockets()) {
            KernelSocket earlier = then.get(socket.owner().inode());
            long waited = earlier == null ? 0 : earlier.memory().receiveBytes();
            if (isFilling(socket) && socket.memory().receiveBytes() > waited) {
                levels.add(new QueueLevel(
                        now.reported(socket, interfaceNames),
                        waited,
                        socket.memory().receiveBytes(),
                        socket.memory().receiveLimit(),
                        "bytes"));
            }
        }
        Losses losses = new Losses(before, now, interfaceNames);
        for (QueueingDiscipline queue : now.queues()) {
            long waited = losses.earlier(queue, QueueingDiscipline::packets);
            if (queue.parent() == QueueingDiscipline.ROOT && queue.packets() > waited && losses.isLookedAt(queue)) {
                levels.add(new QueueLevel(
                        losses.interfaceName(queue) + ", " + queue.kind(), waited, queue.packets(), 0, "packets"));
            }
        }
        return levels;
    }

    /** Whether a packet socket has a ring, which hides its drops. */
    static boolean isRing(KernelSocket socket) {
        return socket.kind() == Kind.PACKET && socket.memory().ringBytes() > 0;
    }
}
