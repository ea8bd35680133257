package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import org.jspecify.annotations.Nullable;

/** Rules on the kernel's network stack: its settings, and the drops they caused. */
final class KernelRules {
    /** In bytes: 70 to 220 ms of 100,000 packets per second, depending on the buffer size of the card's driver. */
    static final long RECEIVE_MOST = 16 << 20;
    /** In bytes, for programs that request no buffer size. */
    static final long RECEIVE_DEFAULT = 4 << 20;

    private static final long SEND_MOST = 4 << 20;
    private static final long SEND_DEFAULT = 1 << 20;
    private static final long BACKLOG = 10_000;
    /** Linux's default with pages of 4 KiB, in bytes. */
    private static final long KERNEL_DEFAULT = 212_992;
    /** Linux's default, in packets. */
    private static final long KERNEL_BUDGET = 300;

    private static final String SYSCTL = "Documentation/admin-guide/sysctl/net.rst";
    private static final String IP_SYSCTL = "Documentation/networking/ip-sysctl.rst";

    private KernelRules() {}

    static void examine(Diagnosis diagnosis) {
        receiveMost(diagnosis);
        receiveDefault(diagnosis);
        sendBuffers(diagnosis);
        backlog(diagnosis);
        budget(diagnosis);
        udpMemory(diagnosis);
        connections(diagnosis);
        reversePath(diagnosis);
        counters(diagnosis);
    }

    private static void receiveMost(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        Long most = machine.sysctl("net.core.rmem_max");
        // whether sockets that lost packets already have the largest buffer
        boolean isReached = most != null
                && diagnosis.now().sockets().stream()
                        .anyMatch(
                                socket -> socket.drops() > 0 && socket.memory().receiveLimit() >= most);
        if (most != null && most < RECEIVE_MOST) {
            diagnosis
                    .add(
                            isReached || most <= KERNEL_DEFAULT ? Severity.WOULD_LOSE : Severity.ADVICE,
                            "receive-buffer-max",
                            "",
                            "programs cannot get a receive buffer above " + Numbers.grouped(most)
                                    + " bytes, whatever they request" + whereToSet(machine))
                    .setting("net.core.rmem_max", most, RECEIVE_MOST, "bytes")
                    .because(
                            "a packet of 200 bytes takes at least 768 bytes of it, so 212,992 bytes (the kernel's"
                                    + " default) are full after 3 ms of 100,000 packets/s",
                            "socket(7), rmem_max; " + SYSCTL)
                    .sysctl("net.core.rmem_max", RECEIVE_MOST);
        } else if (most != null) {
            diagnosis
                    .fine("receive-buffer-max", "", "net.core.rmem_max is " + Numbers.grouped(most) + " bytes")
                    .setting("net.core.rmem_max", most, null, "bytes");
        }
    }

    /** The buffer of programs that request no size. */
    private static void receiveDefault(Diagnosis diagnosis) {
        Machine machine = diagnosis.machine();
        Long byDefault = machine.sysctl("net.core.rmem_default");
        boolean isUsed = byDefault != null
                && diagnosis.now().sockets().stream()
                        .anyMatch(
                                socket -> socket.drops() > 0 && socket.memory().receiveLimit() == byDefault);
        if (byDefault != null && byDefault < RECEIVE_DEFAULT) {
            diagnosis
                    .add(
                            isUsed ? Severity.WOULD_LOSE : Severity.ADVICE,
                            "receive-buffer-default",
                            "",
                            "programs that request no size get a receive buffer of " + Numbers.grouped(byDefault)
                                    + " bytes"
                                    + (isUsed ? "; sockets with this buffer lost packets" : "")
                                    + whereToSet(machine))
                    .setting("net.core.rmem_default", byDefault, RECEIVE_DEFAULT, "bytes")
                    .because(
                            "many SIP servers request none; memory is used only while packets wait",
                            "socket(7), rmem_default; " + SYSCTL)
                    .sysctl("net.core.rmem_default", RECEIVE_DEFAULT);
        } else if (byDefault != null) {
            diagnosis
                    .fine(
                            "receive-buffer-default",
                            "",
                            "net.core.rmem_default is " + Numbers.grouped(byDefault) + " bytes")
                    .setting("net.core.rmem_default", byDefault, null, "bytes");
        }
    }

    /** Other network namespaces can at best read these settings, but not change them. */
    static String whereToSet(Machine machine) {
        return machine.ownsSysctls() ? "" : "; it can be changed on the host only, not in this network namespace";
    }

    private static void sendBuffers(Diagnosis diagnosis) {
        Long most = diagnosis.machine().sysctl("net.core.wmem_max");
        Long byDefault = diagnosis.machine().sysctl("net.core.wmem_default");
        for (Loss loss : diagnosis.losses(Cause.UDP_SEND)) {
            boolean canGrow = most != null && most < SEND_MOST;
            Finding.Builder finding = diagnosis
                    .add(
                            Diagnosis.severity(loss, canGrow),
                            "send-buffer",
                            "",
                            Diagnosis.reported(loss) + ": " + loss.cause().words()
                                    + (canGrow ? whereToSet(diagnosis.machine()) : ""))
                    .because(
                            "datagrams sent faster than the interface accepts them wait in the send buffer, and are"
                                    + " refused if it is full",
                            "udp(7); socket(7), SO_SNDBUF");
            if (most != null && canGrow) {
                finding.setting("net.core.wmem_max", most, SEND_MOST, "bytes").sysctl("net.core.wmem_max", SEND_MOST);
            }
        }
        boolean isRefused = diagnosis.total(Cause.UDP_SEND) > 0;
        if (!isRefused && most != null) {
            diagnosis
                    .fine(
                            "send-buffer",
                            "",
                            "no datagram was refused; net.core.wmem_max is " + Numbers.grouped(most) + " bytes")
                    .atLeast("net.core.wmem_max", most, SEND_MOST, "bytes");
        }
        if (byDefault != null) {
            sendDefault(diagnosis, byDefault, isRefused);
        }
    }

    /** The buffer of programs that request no size. */
    private static void sendDefault(Diagnosis diagnosis, long byDefault, boolean isRefused) {
        String text = "programs that request no size get a send buffer of " + Numbers.grouped(byDefault) + " bytes";
        if (!isRefused || byDefault >= SEND_DEFAULT) {
            diagnosis
                    .fine("send-buffer-default", "", text)
                    .atLeast("net.core.wmem_default", byDefault, SEND_DEFAULT, "bytes");
            return;
        }
        diagnosis
                .add(
                        Severity.ADVICE,
                        "send-buffer-default",
                        "",
                        text + ", and datagrams were refused" + whereToSet(diagnosis.machine()))
                .setting("net.core.wmem_default", byDefault, SEND_DEFAULT, "bytes")
                .because(
                        "many SIP servers request none; memory is used only while packets wait to be sent",
                        "socket(7), wmem_default; " + SYSCTL)
                .sysctl("net.core.wmem_default", SEND_DEFAULT);
    }

    private static void backlog(Diagnosis diagnosis) {
        Long backlog = diagnosis.machine().sysctl("net.core.netdev_max_backlog");
        for (Loss loss : diagnosis.losses(Cause.BACKLOG)) {
            boolean canGrow = backlog == null || backlog < BACKLOG;
            Finding.Builder finding = diagnosis
                    .add(
                            Diagnosis.severity(loss, canGrow),
                            "backlog",
                            loss.subject(),
                            Diagnosis.reported(loss) + ": more packets waited than net.core.netdev_max_backlog"
                                    + (canGrow
                                            ? whereToSet(diagnosis.machine())
                                            : "; the processor is overloaded: spread the load over several"))
                    .because(
                            "packets of RPS, veth, tunnels, the loopback and drivers without NAPI wait there"
                                    + " for their processor",
                            SYSCTL + ", netdev_max_backlog");
            if (canGrow) {
                finding.setting("net.core.netdev_max_backlog", backlog == null ? "?" : backlog, BACKLOG, "packets")
                        .sysctl("net.core.netdev_max_backlog", BACKLOG);
            }
        }
        for (Loss loss : diagnosis.losses(Cause.FLOW_LIMIT)) {
            diagnosis
                    .add(
                            Diagnosis.severity(loss, false),
                            "flow-limit",
                            loss.subject(),
                            Diagnosis.reported(loss) + ": " + loss.cause().words())
                    .because(
                            "with flow limits on, a flow that fills half the backlog loses packets before others do",
                            "Documentation/networking/scaling.rst, RPS Flow Limit");
        }
        if (diagnosis.total(Cause.BACKLOG) == 0 && backlog != null) {
            diagnosis
                    .fine(
                            "backlog",
                            "",
                            "no processor's backlog was ever full (net.core.netdev_max_backlog "
                                    + Numbers.grouped(backlog) + ")")
                    .atLeast("net.core.netdev_max_backlog", backlog, BACKLOG, "packets");
        }
    }

    /**
     * A squeeze loses nothing by itself: the remaining packets are processed in the next turn, while the card's ring
     * fills.
     */
    private static void budget(Diagnosis diagnosis) {
        long squeezed = 0;
        long grown = 0;
        long processed = 0;
        long received = 0;
        for (SoftnetStat stat : diagnosis.now().softnet()) {
            squeezed += stat.squeezed();
            processed += stat.processed();
            grown += diagnosis.before().softnet().stream()
                    .filter(earlier -> earlier.processor() == stat.processor())
                    .mapToLong(earlier -> Math.max(0, stat.squeezed() - earlier.squeezed()))
                    .sum();
        }
        // softnet's counter has 32 bits and wraps; GRO and RPS make it differ from the counters of the cards
        for (String name : diagnosis.now().interfaces().keySet()) {
            received += diagnosis.now().ofInterface(name, "rx_packets");
        }
        processed = Math.max(processed, received);
        Long budget = diagnosis.machine().sysctl("net.core.netdev_budget");
        Long microseconds = diagnosis.machine().sysctl("net.core.netdev_budget_usecs");
        // for a raised budget, the counter does not show whether the squeezes happened before it was raised
        boolean isOften = grown > 0 || squeezed * 1000 > processed && budget != null && budget <= KERNEL_BUDGET;
        String text = "receive softirqs left work behind " + Numbers.grouped(squeezed) + " times in "
                + Numbers.grouped(processed) + " packets"
                + (grown > 0 ? ", " + Numbers.grouped(grown) + " just now" : "");
        if (!isOften || budget == null) {
            if (!diagnosis.now().softnet().isEmpty()) {
                Finding.Builder fine = diagnosis.fine("softirq-budget", "", text);
                if (budget != null) {
                    fine.setting("net.core.netdev_budget", budget, budget * 2, "packets");
                }
            }
            return;
        }
        Finding.Builder finding = diagnosis
                .add(
                        Severity.ADVICE,
                        "softirq-budget",
                        "",
                        text + "; a turn ends after " + Numbers.grouped(budget) + " packets"
                                + (microseconds == null ? "" : " or " + Numbers.grouped(microseconds) + " µs"))
                .setting("net.core.netdev_budget", budget, budget * 2, "packets")
                .because(
                        "the rest waits in the card's ring for the next turn; a larger budget makes turns longer,"
                                + " which helps only if the processor has time left",
                        SYSCTL + ", netdev_budget, netdev_budget_usecs")
                .sysctl("net.core.netdev_budget", budget * 2);
        if (microseconds != null) {
            finding.sysctl("net.core.netdev_budget_usecs", microseconds * 2);
        }
    }

    private static void udpMemory(Diagnosis diagnosis) {
        String[] limits = Numbers.words(diagnosis.machine().sysctls().getOrDefault("net.ipv4.udp_mem", ""));
        if (limits.length < 3) {
            return;
        }
        long least = Numbers.orZero(limits[0]);
        long pressure = Numbers.orZero(limits[1]);
        long most = Numbers.orZero(limits[2]);
        long used = diagnosis.now().protocol("UDP.mem");
        @Nullable
        Loss loss = diagnosis.losses(Cause.UDP_MEMORY).stream().findFirst().orElse(null);
        String advised = pressure * 2 + " " + pressure * 3 + " " + most * 3;
        String now = String.join(" ", limits);
        if (loss == null && used < pressure) {
            diagnosis
                    .fine(
                            "udp-memory",
                            "",
                            "UDP uses " + Numbers.grouped(used) + " of " + Numbers.grouped(most)
                                    + " pages (net.ipv4.udp_mem)")
                    .setting("net.ipv4.udp_mem", now, advised, "pages");
            return;
        }
        // the kernel's own values, derived from memory size; for others, the counter does not show whether drops are
        // older
        boolean isKernels = least == pressure / 4 * 3 && most == least * 2;
        boolean canGrow = isKernels || used >= pressure || loss != null && loss.grown() > 0;
        Finding.Builder finding = diagnosis
                .add(
                        loss == null ? Severity.WOULD_LOSE : Diagnosis.severity(loss, canGrow),
                        "udp-memory",
                        "",
                        (loss == null ? "" : Diagnosis.reported(loss) + ": ") + "UDP uses " + Numbers.grouped(used)
                                + " of " + Numbers.grouped(most) + " pages that all of its sockets may use together")
                .setting("net.ipv4.udp_mem", now, canGrow ? advised : null, "pages")
                .because(
                        "above the third value packets are dropped, whatever the limit of a socket",
                        IP_SYSCTL + ", udp_mem");
        if (canGrow) {
            finding.sysctl("net.ipv4.udp_mem", advised);
        }
    }

    private static void connections(Diagnosis diagnosis) {
        Long most = diagnosis.machine().sysctl("net.netfilter.nf_conntrack_max");
        if (most == null || most == 0) {
            return;
        }
        long tracked = diagnosis.now().protocol("conntrack.count");
        Loss loss = diagnosis.losses(Cause.CONNTRACK).stream().findFirst().orElse(null);
        boolean isFull = tracked * 10 >= most * 8;
        String text = Numbers.grouped(tracked) + " of " + Numbers.grouped(most) + " connections are tracked";
        if (loss == null && !isFull) {
            diagnosis
                    .fine("connection-table", "", text)
                    .setting("net.netfilter.nf_conntrack_max", most, most * 2, "connections");
            return;
        }
        Severity severity =
                loss == null || isFull && loss.grown() == 0 ? Severity.WOULD_LOSE : Diagnosis.severity(loss, false);
        Finding.Builder finding = diagnosis
                .add(
                        severity,
                        "connection-table",
                        "",
                        text
                                + (loss == null ? "" : "; " + Diagnosis.reported(loss))
                                + (isFull ? whereToSet(diagnosis.machine()) : ""))
                .because(
                        "if the table is full, packets of new flows are dropped, and each RTP stream is a flow",
                        "Documentation/networking/nf_conntrack-sysctl.rst, nf_conntrack_max");
        if (isFull) {
            finding.setting("net.netfilter.nf_conntrack_max", most, most * 2, "connections")
                    .sysctl("net.netfilter.nf_conntrack_max", most * 2);
        }
    }

    private static void reversePath(Diagnosis diagnosis) {
        String filter = diagnosis.machine().sysctls().getOrDefault("net.ipv4.conf.all.rp_filter", "");
        for (Loss loss : diagnosis.losses(Cause.REVERSE_PATH)) {
            Finding.Builder finding = diagnosis
                    .add(
                            Diagnosis.severity(loss, false),
                            "reverse-path-filter",
                            "",
                            Diagnosis.reported(loss)
                                    + ": they arrived on an interface that does not lead to their sender")
                    .because(
                            "strict mode (1) drops packets that arrive on another interface than the answer would"
                                    + " use, as with two uplinks; 2 drops only packets whose sender has no route",
                            IP_SYSCTL + ", rp_filter");
            if (!filter.equals("2")) {
                finding.setting("net.ipv4.conf.all.rp_filter", filter.isEmpty() ? "?" : filter, 2, "")
                        .sysctl("net.ipv4.conf.all.rp_filter", 2);
            }
        }
    }

    private static void counters(Diagnosis diagnosis) {
        for (Loss loss : diagnosis.losses(Cause.UDP_CHECKSUM)) {
            diagnosis
                    .add(Diagnosis.severity(loss, false), "udp-checksum", "", Diagnosis.reported(loss))
                    .because("they were damaged in transit, by a cable, a card or a router", "udp(7)");
        }
        Long waiting = diagnosis.machine().sysctl("net.ipv4.ipfrag_high_thresh");
        for (Loss loss : diagnosis.losses(Cause.REASSEMBLY)) {
            Finding.Builder finding = diagnosis
                    .add(
                            Diagnosis.severity(loss, false),
                            "reassembly",
                            "",
                            Diagnosis.reported(loss) + ": " + loss.cause().words())
                    .because(
                            "some of their fragments were lost on the way, or waiting fragments exceeded"
                                    + " net.ipv4.ipfrag_high_thresh bytes",
                            IP_SYSCTL + ", ipfrag_high_thresh");
            if (waiting != null) {
                finding.setting("net.ipv4.ipfrag_high_thresh", waiting, null, "bytes");
            }
        }
        Long connections = diagnosis.machine().sysctl("net.core.somaxconn");
        for (Loss loss : diagnosis.losses(Cause.LISTEN)) {
            boolean canGrow = connections != null && connections < 4096;
            Finding.Builder finding = diagnosis
                    .add(
                            Diagnosis.severity(loss, canGrow),
                            "listen-queue",
                            "",
                            Diagnosis.reported(loss) + ": no program accepted these connections in time")
                    .because(
                            "a listening socket queues at most what its program requested, and never more than"
                                    + " net.core.somaxconn",
                            "listen(2); " + IP_SYSCTL + ", somaxconn");
            if (connections != null && canGrow) {
                finding.setting("net.core.somaxconn", connections, 4096, "connections")
                        .sysctl("net.core.somaxconn", 4096);
            }
        }
    }
}
