package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import io.offhook.linux.network.KernelSocket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Rules on sockets that dropped packets, or soon will. */
final class SocketRules {
    /** The most findings: a media server may have tens of thousands of sockets. */
    private static final int MOST_FINDINGS = 20;

    private static final String WHY = "packets that arrive while the buffer is full are dropped, and a packet of 200"
            + " bytes takes at least 768 bytes of it, so it must hold what arrives while the program is busy";
    private static final String SOURCE = "socket(7), SO_RCVBUF";

    private SocketRules() {}

    static void examine(Diagnosis diagnosis) {
        List<Loss> ofUdp = diagnosis.losses(Cause.SOCKET);
        List<Loss> losses = new ArrayList<>(ofUdp);
        losses.addAll(diagnosis.losses(Cause.PACKET_SOCKET));
        losses.sort(Comparator.comparingLong(Loss::grown)
                .thenComparingLong(Loss::total)
                .reversed());
        for (Loss loss : losses.subList(0, Math.min(MOST_FINDINGS, losses.size()))) {
            dropped(diagnosis, loss);
        }
        if (losses.size() > MOST_FINDINGS) {
            List<Loss> rest = losses.subList(MOST_FINDINGS, losses.size());
            diagnosis
                    .add(
                            rest.getFirst().grown() > 0 ? Severity.LOSING : Severity.HAS_LOST,
                            "socket-drops",
                            "",
                            rest.size() + " more sockets dropped "
                                    + Numbers.grouped(
                                            rest.stream().mapToLong(Loss::total).sum()) + " packets")
                    .because(WHY, SOURCE);
        }
        if (losses.isEmpty()) {
            diagnosis.fine(
                    "socket-drops",
                    "",
                    "none of " + Numbers.grouped(diagnosis.now().sockets().size()) + " sockets dropped a packet");
        }
        earlierDrops(diagnosis, ofUdp);
        diagnosis.now().sockets().stream()
                .filter(socket -> socket.drops() == 0 && Losses.isFilling(socket))
                .sorted(Comparator.comparingLong(
                                (KernelSocket socket) -> socket.memory().receiveBytes())
                        .reversed())
                .limit(MOST_FINDINGS)
                .forEach(socket -> filling(diagnosis, socket));
        for (KernelSocket socket : diagnosis.now().sockets()) {
            if (Losses.isRing(socket)) {
                diagnosis.fine(
                        "packet-ring",
                        reported(diagnosis, socket),
                        "a ring of " + Numbers.grouped(socket.memory().ringBytes())
                                + " bytes; the kernel reports drops of a ring to its program only");
            }
        }
    }

    private static String reported(Diagnosis diagnosis, KernelSocket socket) {
        return diagnosis.now().reported(socket, diagnosis.machine().interfaceNames());
    }

    private static void dropped(Diagnosis diagnosis, Loss loss) {
        boolean canGrow = loss.limit() < KernelRules.RECEIVE_MOST;
        String waiting = loss.limit() == 0
                ? ""
                : "; " + Numbers.grouped(loss.waiting()) + " of " + Numbers.grouped(loss.limit()) + " bytes wait";
        Finding.Builder finding = diagnosis
                .add(
                        Diagnosis.severity(loss, canGrow),
                        "socket-drops",
                        loss.subject(),
                        Diagnosis.reported(loss) + waiting + advice(diagnosis.machine(), loss, canGrow))
                .because(WHY, SOURCE);
        if (loss.limit() > 0) {
            finding.setting("SO_RCVBUF", loss.limit(), canGrow ? KernelRules.RECEIVE_MOST : null, "bytes");
        }
        if (canGrow) {
            remedies(diagnosis.machine(), loss.limit(), finding);
        }
    }

    /**
     * Whether the limit is the default, which a program gets that requests no size; one that does gets twice its
     * request.
     */
    private static boolean isDefault(Machine machine, long limit) {
        Long byDefault = machine.sysctl("net.core.rmem_default");
        return limit == 0 || byDefault != null && byDefault == limit;
    }

    private static String advice(Machine machine, Loss loss, boolean canGrow) {
        if (!canGrow) {
            return "; its buffer is large, so the program is too slow or busy with other work";
        }
        Long byDefault = machine.sysctl("net.core.rmem_default");
        boolean isRaised = byDefault != null && byDefault >= KernelRules.RECEIVE_DEFAULT;
        return (isDefault(machine, loss.limit()) && !isRaised
                        ? "; it has the default buffer: raise the default and restart the program, or set a larger"
                                + " buffer in its configuration"
                        : "; set a larger buffer in the program's configuration, up to net.core.rmem_max")
                + whereToSet(machine, loss.limit());
    }

    private static boolean raisesMost(Machine machine) {
        Long most = machine.sysctl("net.core.rmem_max");
        return most == null || most < KernelRules.RECEIVE_MOST;
    }

    private static boolean raisesDefault(Machine machine, long limit) {
        Long byDefault = machine.sysctl("net.core.rmem_default");
        return isDefault(machine, limit) && (byDefault == null || byDefault < KernelRules.RECEIVE_DEFAULT);
    }

    private static String whereToSet(Machine machine, long limit) {
        return raisesMost(machine) || raisesDefault(machine, limit) ? KernelRules.whereToSet(machine) : "";
    }

    private static void remedies(Machine machine, long limit, Finding.Builder finding) {
        if (raisesMost(machine)) {
            finding.sysctl("net.core.rmem_max", KernelRules.RECEIVE_MOST);
        }
        if (raisesDefault(machine, limit)) {
            finding.sysctl("net.core.rmem_default", KernelRules.RECEIVE_DEFAULT);
        }
    }

    /** Drops of sockets that are gone, or that do not report drops. */
    private static void earlierDrops(Diagnosis diagnosis, List<Loss> ofSockets) {
        for (Loss loss : diagnosis.losses(Cause.UDP_RECEIVE)) {
            long known = ofSockets.stream().mapToLong(Loss::total).sum();
            long knownGrown = ofSockets.stream().mapToLong(Loss::grown).sum();
            if (loss.total() <= known) {
                return;
            }
            diagnosis
                    .add(
                            loss.grown() > knownGrown ? Severity.LOSING : Severity.HAS_LOST,
                            "udp-receive-buffer",
                            "",
                            Diagnosis.reported(loss) + ", over all UDP sockets since the start; "
                                    + (known == 0
                                            ? "those that lost them are gone"
                                            : Numbers.grouped(known) + " by sockets that still exist"))
                    .because(WHY, "udp(7), RcvbufErrors; Documentation/networking/snmp_counter.rst");
        }
    }

    private static void filling(Diagnosis diagnosis, KernelSocket socket) {
        long percent = socket.memory().receiveBytes() * 100 / socket.memory().receiveLimit();
        if (percent < 50) {
            return;
        }
        boolean canGrow = socket.memory().receiveLimit() < KernelRules.RECEIVE_MOST;
        Finding.Builder finding = diagnosis
                .add(
                        percent >= 90 ? Severity.WOULD_LOSE : Severity.ADVICE,
                        "socket-queue",
                        reported(diagnosis, socket),
                        "its queue is " + percent + " % full: "
                                + Numbers.grouped(socket.memory().receiveBytes()) + " of "
                                + Numbers.grouped(socket.memory().receiveLimit())
                                + " bytes; the program does not read fast enough"
                                + (canGrow
                                        ? whereToSet(
                                                diagnosis.machine(),
                                                socket.memory().receiveLimit())
                                        : ""))
                .because(WHY, SOURCE);
        finding.setting(
                "SO_RCVBUF", socket.memory().receiveLimit(), canGrow ? KernelRules.RECEIVE_MOST : null, "bytes");
        if (canGrow) {
            remedies(diagnosis.machine(), socket.memory().receiveLimit(), finding);
        }
    }
}
