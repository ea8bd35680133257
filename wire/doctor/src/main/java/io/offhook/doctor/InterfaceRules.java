package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import io.offhook.linux.network.Ethtool.Channels;
import io.offhook.linux.network.Ethtool.Feature;
import io.offhook.linux.network.Ethtool.Rings;
import java.util.ArrayList;
import java.util.List;

/** Rules on network cards: their rings, drops, merging offloads and send queues. */
final class InterfaceRules {
    /** Bits of a G.711 frame of 20 ms on the wire, with preamble, checksum and gap of Ethernet: 214 + 24 bytes. */
    private static final int VOICE_FRAME_BITS = 238 * 8;

    /** The queueing discipline whose limit is txqueuelen. */
    private static final String BY_LENGTH = "pfifo_fast";

    /** The advised txqueuelen if packets were dropped because of it. */
    private static final long LONG_QUEUE = 10_000;

    /** How long a ring should hold arriving packets, in ms: softirqs are at times that late. */
    private static final int RING_MS = 1;

    private static final String STATISTICS = "Documentation/networking/statistics.rst";
    private static final String OFFLOADS = "Documentation/networking/segmentation-offloads.rst; ethtool(8), -K";

    /** Feature names, each with its name in ethtool -K. */
    private static final List<List<String>> MERGING = List.of(
            List.of("rx-lro", "lro"),
            List.of("rx-gro-hw", "rx-gro-hw"),
            List.of("rx-gro-list", "rx-gro-list"),
            List.of("rx-udp-gro-forwarding", "rx-udp-gro-forwarding"));

    private static final List<List<String>> TCP_ONLY = List.of(
            List.of("rx-gro", "gro"), List.of("tx-tcp-segmentation", "tso"), List.of("tx-generic-segmentation", "gso"));

    private InterfaceRules() {}

    static void examine(Diagnosis diagnosis) {
        for (NetworkCard card : diagnosis.machine().cards()) {
            ring(diagnosis, card);
            receiveDrops(diagnosis, card);
            sendDrops(diagnosis, card);
            merging(diagnosis, card);
            channels(diagnosis, card);
        }
        queues(diagnosis);
    }

    private static Loss lossOf(Diagnosis diagnosis, Cause cause, NetworkCard card) {
        return diagnosis.losses(cause).stream()
                .filter(loss -> loss.subject().equals(card.name()))
                .findFirst()
                .orElse(new Loss(cause, card.name(), "", 0, 0, 0, 0));
    }

    /**
     * The size of a ring that holds a millisecond of packets at the card's full speed, rounded up to a power of two;
     * the maximum if it lost packets.
     */
    private static int advisedRing(NetworkCard card, Rings rings, boolean hasLost) {
        if (hasLost || card.speedMbps() == 0) {
            return rings.mostReceive();
        }
        long packets = card.speedMbps() * 1000 * RING_MS / VOICE_FRAME_BITS;
        long advised = Long.highestOneBit(Math.max(packets, 2) - 1) * 2;
        return (int) Math.min(rings.mostReceive(), advised);
    }

    private static void ring(Diagnosis diagnosis, NetworkCard card) {
        Loss loss = lossOf(diagnosis, Cause.CARD, card);
        Rings rings = card.card().rings();
        if (rings == null || rings.mostReceive() == 0) {
            if (loss.total() > 0) {
                diagnosis
                        .add(
                                Diagnosis.severity(loss, false),
                                "card-drops",
                                card.name(),
                                Diagnosis.reported(loss) + ", and its driver has no configurable ring")
                        .because("the card had no room for them: the processor fetched packets too late", STATISTICS);
            }
            return;
        }
        int advised = advisedRing(card, rings, loss.total() > 0);
        boolean canGrow = rings.receive() < advised;
        String speed = card.speedMbps() > 0
                ? ", " + heldMicroseconds(card, rings.receive()) + " µs of voice at " + card.speedMbps() + " Mb/s"
                : "";
        String text = "its receive ring has " + Numbers.grouped(rings.receive()) + " of "
                + Numbers.grouped(rings.mostReceive()) + " entries" + speed;
        if (!canGrow && loss.total() == 0) {
            diagnosis
                    .fine("receive-ring", card.name(), text)
                    .atLeast("rx", rings.receive(), rings.mostReceive(), "packets");
            return;
        }
        boolean isTooSmall = loss.total() > 0 || card.speedMbps() > 0;
        Severity severity = loss.total() > 0
                ? Diagnosis.severity(loss, canGrow)
                : isTooSmall ? Severity.WOULD_LOSE : Severity.ADVICE;
        Finding.Builder finding = diagnosis
                .add(
                        severity,
                        loss.total() > 0 ? "card-drops" : "receive-ring",
                        card.name(),
                        (loss.total() > 0 ? Diagnosis.reported(loss) + ": " : "")
                                + text
                                + (canGrow ? "" : "; it has the maximum size, so the processor is too slow or late"))
                .because(
                        "packets that arrive while the ring is full are lost, and the softirq that empties it may"
                                + " be " + RING_MS + " ms late",
                        "ethtool(8), -G; " + STATISTICS);
        finding.setting("rx", rings.receive(), canGrow ? advised : null, "packets");
        if (canGrow) {
            finding.command("ethtool -G " + card.quotedName() + " rx " + advised);
        }
    }

    private static long heldMicroseconds(NetworkCard card, long packets) {
        return packets * VOICE_FRAME_BITS / card.speedMbps();
    }

    /** Drops on receipt include unwanted packets: frames of protocols that the machine does not use. */
    private static void receiveDrops(Diagnosis diagnosis, NetworkCard card) {
        Loss loss = lossOf(diagnosis, Cause.INTERFACE_RECEIVE, card);
        long received = diagnosis.now().ofInterface(card.name(), "rx_packets");
        long receivedNow = received - diagnosis.before().ofInterface(card.name(), "rx_packets");
        if (loss.total() == 0) {
            diagnosis.fine(
                    "interface-receive-drops",
                    card.name(),
                    "none of " + Numbers.grouped(received) + " received packets was dropped");
            return;
        }
        // one percent is more than the protocol chatter of switches
        boolean isMuch = loss.grown() > 0 && loss.grown() * 100 >= receivedNow;
        diagnosis
                .add(
                        isMuch ? Severity.LOSING : Severity.HAS_LOST,
                        "interface-receive-drops",
                        card.name(),
                        Diagnosis.reported(loss) + " of " + Numbers.grouped(received)
                                + " received; this includes packets of protocols that this machine does not use (LLDP,"
                                + " spanning tree)")
                .because("the kernel or the driver discarded them", STATISTICS + ", rx_dropped");
    }

    private static void sendDrops(Diagnosis diagnosis, NetworkCard card) {
        Loss loss = lossOf(diagnosis, Cause.INTERFACE_SEND, card);
        Rings rings = card.card().rings();
        if (loss.total() == 0) {
            Finding.Builder fine = diagnosis.fine(
                    "interface-send-drops",
                    card.name(),
                    "none of " + Numbers.grouped(diagnosis.now().ofInterface(card.name(), "tx_packets"))
                            + " sent packets was dropped");
            if (rings != null && rings.mostSend() > 0) {
                fine.atLeast("tx", rings.send(), rings.mostSend(), "packets");
            }
            return;
        }
        boolean canGrow = rings != null && rings.send() < rings.mostSend();
        Finding.Builder finding = diagnosis
                .add(
                        Diagnosis.severity(loss, canGrow),
                        "interface-send-drops",
                        card.name(),
                        Diagnosis.reported(loss) + ": " + loss.cause().words())
                .because(
                        "they were sent faster than the card, or the other end of a veth pair, accepted them",
                        STATISTICS + ", tx_dropped");
        if (rings != null && canGrow) {
            finding.setting("tx", rings.send(), rings.mostSend(), "packets")
                    .command("ethtool -G " + card.quotedName() + " tx " + rings.mostSend());
        }
    }

    private static void merging(Diagnosis diagnosis, NetworkCard card) {
        List<String> changeable = new ArrayList<>();
        List<String> fixed = new ArrayList<>();
        for (List<String> names : MERGING) {
            Feature feature = card.feature(names.getFirst());
            if (feature != null && feature.isOn()) {
                (feature.isFixed() ? fixed : changeable).add(names.getLast());
            }
        }
        if (!changeable.isEmpty()) {
            diagnosis
                    .add(
                            Severity.ADVICE,
                            "merging-offloads",
                            card.name(),
                            String.join(", ", changeable) + (changeable.size() == 1 ? " is on" : " are on")
                                    + ": received packets are merged before any program sees them")
                    .setting(String.join(" ", changeable), "on", "off", "")
                    .because(
                            "a capture then contains packets that never were on the wire, truncated if they exceed the"
                                    + " snap length, and native XDP cannot be attached; on a router they do not fit"
                                    + " into the next link",
                            OFFLOADS)
                    .command("ethtool -K " + card.quotedName() + " " + String.join(" off ", changeable) + " off");
        }
        List<String> tcp = TCP_ONLY.stream()
                .filter(names -> card.isOn(names.getFirst()))
                .map(List::getLast)
                .toList();
        if (!tcp.isEmpty()) {
            diagnosis.fine(
                    "tcp-offloads",
                    card.name(),
                    String.join(", ", tcp) + " merge TCP segments, which saves processor time; RTP is not"
                            + " affected. To capture TCP as it is on the wire: ethtool -K "
                            + card.quotedName() + " "
                            + String.join(" off ", tcp) + " off");
        }
        if (!fixed.isEmpty()) {
            diagnosis.fine(
                    "merging-offloads",
                    card.name(),
                    String.join(", ", fixed) + (fixed.size() == 1 ? " is" : " are") + " on and cannot be changed");
        }
    }

    private static void channels(Diagnosis diagnosis, NetworkCard card) {
        Channels channels = card.card().channels();
        // a card with separate receive queues was set up so deliberately; combined queues would be added to them
        if (channels == null || channels.mostCombined() == 0 || channels.combined() == 0) {
            return;
        }
        int useful = Math.min(
                channels.mostCombined(),
                Math.max(1, diagnosis.machine().processors().size()));
        if (channels.combined() >= useful) {
            diagnosis
                    .fine(
                            "card-queues",
                            card.name(),
                            "it has " + Numbers.count(channels.combined(), "queue") + " for "
                                    + Numbers.count(
                                            diagnosis.machine().processors().size(), "processor"))
                    .setting("combined", channels.combined(), null, "queues");
            return;
        }
        diagnosis
                .add(
                        Severity.ADVICE,
                        "card-queues",
                        card.name(),
                        "it has " + Numbers.count(channels.combined(), "queue") + ", and could have one for each of "
                                + useful + " processors")
                .setting("combined", channels.combined(), useful, "queues")
                .because(
                        "one processor empties each queue, so more queues share the work",
                        "Documentation/networking/scaling.rst, RSS; ethtool(8), -L")
                .command("ethtool -L " + card.quotedName() + " combined " + useful);
    }

    private static void queues(Diagnosis diagnosis) {
        for (Loss loss : diagnosis.losses(Cause.QUEUEING)) {
            int comma = loss.subject().indexOf(", ");
            String name = loss.subject().substring(0, comma);
            String kind = loss.subject().substring(comma + 2);
            NetworkCard card = diagnosis.machine().cards().stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElse(null);
            // the drops of mq are those of its children; other disciplines have their own limits, and drop by design
            int index = card == null ? 0 : card.index();
            boolean isByLength = (kind.equals(BY_LENGTH) || kind.equals("mq"))
                    && diagnosis.now().queues().stream()
                            .anyMatch(queue -> queue.interfaceIndex() == index
                                    && queue.kind().equals(BY_LENGTH));
            boolean canGrow = isByLength && card != null && card.sendQueueLength() < LONG_QUEUE;
            Finding.Builder finding = diagnosis
                    .add(
                            Diagnosis.severity(loss, canGrow),
                            "send-queue",
                            loss.subject(),
                            Diagnosis.reported(loss) + ": packets were sent faster than the interface accepted them"
                                    + (isByLength
                                            ? ""
                                            : "; tc -s qdisc show dev " + Remedy.quoted(name) + " shows details"))
                    .because(
                            "a packet that finds the queue of the interface full is dropped, and the sender of a"
                                    + " datagram is not notified",
                            "tc-" + kind + "(8); ip-link(8), txqueuelen");
            if (card != null && canGrow) {
                finding.setting("txqueuelen", card.sendQueueLength(), LONG_QUEUE, "packets")
                        .command("ip link set dev " + card.quotedName() + " txqueuelen " + LONG_QUEUE);
            }
        }
        for (NetworkCard card : diagnosis.machine().cards()) {
            if (card.isDevice() && card.sendQueueLength() >= 0 && card.sendQueueLength() < 1000) {
                diagnosis
                        .add(
                                Severity.ADVICE,
                                "send-queue-length",
                                card.name(),
                                "only " + Numbers.grouped(card.sendQueueLength()) + " packets may wait to be sent")
                        .setting("txqueuelen", card.sendQueueLength(), 1000, "packets")
                        .because(
                                "a burst of a few milliseconds is longer; 1,000 is Linux's default for Ethernet cards",
                                "ip-link(8), txqueuelen")
                        .command("ip link set dev " + card.quotedName() + " txqueuelen 1000");
            } else if (card.sendQueueLength() >= 0) {
                diagnosis
                        .fine(
                                "send-queue-length",
                                card.name(),
                                Numbers.grouped(card.sendQueueLength()) + " packets may wait to be sent (txqueuelen)")
                        .atLeast("txqueuelen", card.sendQueueLength(), LONG_QUEUE, "packets");
            }
        }
    }
}
