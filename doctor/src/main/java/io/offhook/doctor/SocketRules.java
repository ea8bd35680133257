package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import io.offhook.linux.KernelSocket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sockets that dropped packets, or soon will. */
final class SocketRules {
    /** A server of media may have tens of thousands of sockets. */
    private static final int MOST_FINDINGS = 20;

    private static final String WHY = "what comes while the buffer is full is dropped, and a packet of 200 bytes takes"
            + " 768 bytes of it or more, so it must hold what comes while the program does something else";
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
                .sorted(Comparator.comparingLong(KernelSocket::receiveBytes).reversed())
                .limit(MOST_FINDINGS)
                .forEach(socket -> filling(diagnosis, socket));
        for (KernelSocket socket : diagnosis.now().sockets()) {
            if (Losses.isRing(socket)) {
                diagnosis.fine(
                        "packet-ring",
                        told(diagnosis, socket),
                        "a ring of " + Numbers.grouped(socket.ringBytes())
                                + " bytes; what a ring drops, the kernel tells its program only");
            }
        }
    }

    private static String told(Diagnosis diagnosis, KernelSocket socket) {
        return diagnosis.now().told(socket, diagnosis.machine().interfaceNames());
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
                        Diagnosis.told(loss) + waiting + advice(diagnosis.machine(), loss, canGrow))
                .because(WHY, SOURCE);
        if (loss.limit() > 0) {
            finding.setting("SO_RCVBUF", loss.limit(), canGrow ? KernelRules.RECEIVE_MOST : null, "bytes");
        }
        if (canGrow) {
            remedies(diagnosis.machine(), loss.limit(), finding);
        }
    }

    /** What a program gets that asks for nothing is the default; one that asks gets twice what it asked for. */
    private static boolean isDefault(Machine machine, long limit) {
        Long byDefault = machine.sysctl("net.core.rmem_default");
        return limit == 0 || byDefault != null && byDefault == limit;
    }

    private static String advice(Machine machine, Loss loss, boolean canGrow) {
        if (!canGrow) {
            return "; its buffer is large: the program is too slow, or busy elsewhere";
        }
        Long byDefault = machine.sysctl("net.core.rmem_default");
        boolean isRaised = byDefault != null && byDefault >= KernelRules.RECEIVE_DEFAULT;
        return (isDefault(machine, loss.limit()) && !isRaised
                        ? "; it has the default buffer: raise that and restart the program, or set a larger one in its"
                                + " configuration"
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

    /** Of sockets that are gone, or that do not tell. */
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
                            Diagnosis.told(loss) + ", of all UDP sockets since the start; "
                                    + (known == 0
                                            ? "those that lost them are gone"
                                            : Numbers.grouped(known) + " of sockets that are still there"))
                    .because(WHY, "udp(7), RcvbufErrors; Documentation/networking/snmp_counter.rst");
        }
    }

    private static void filling(Diagnosis diagnosis, KernelSocket socket) {
        long percent = socket.receiveBytes() * 100 / socket.receiveLimit();
        if (percent < 50) {
            return;
        }
        boolean canGrow = socket.receiveLimit() < KernelRules.RECEIVE_MOST;
        Finding.Builder finding = diagnosis
                .add(
                        percent >= 90 ? Severity.WOULD_LOSE : Severity.ADVICE,
                        "socket-queue",
                        told(diagnosis, socket),
                        "its queue is " + percent + " % full: " + Numbers.grouped(socket.receiveBytes()) + " of "
                                + Numbers.grouped(socket.receiveLimit())
                                + " bytes; its program does not read fast enough"
                                + (canGrow ? whereToSet(diagnosis.machine(), socket.receiveLimit()) : ""))
                .because(WHY, SOURCE);
        finding.setting("SO_RCVBUF", socket.receiveLimit(), canGrow ? KernelRules.RECEIVE_MOST : null, "bytes");
        if (canGrow) {
            remedies(diagnosis.machine(), socket.receiveLimit(), finding);
        }
    }
}
