package io.offhook.cli.doctor;

import static java.util.stream.Collectors.joining;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.doctor.Doctor;
import io.offhook.doctor.Loss;
import io.offhook.doctor.PortSocket;
import io.offhook.doctor.PortWatch;
import io.offhook.doctor.QueueLevel;
import io.offhook.linux.LinuxException;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code offhook doctor --watch}: reads the counters at intervals and reports those that grew. */
final class DoctorWatch {
    /** Losses that are reported of the watched sockets themselves. */
    private static final Set<Loss.Cause> OF_SOCKETS =
            Set.of(Loss.Cause.SOCKET, Loss.Cause.PACKET_SOCKET, Loss.Cause.LISTEN);

    private final Doctor doctor;
    private final @Nullable PortWatch ports;
    private final OutputOptions output;
    private final Terminal terminal;
    private final CountDownLatch end = new CountDownLatch(1);
    private long lost;

    /** @param ports the watched ports; null for all sockets */
    DoctorWatch(Doctor doctor, @Nullable PortWatch ports, OutputOptions output, Terminal terminal) {
        this.doctor = doctor;
        this.ports = ports;
        this.output = output;
        this.terminal = terminal;
    }

    /** Waits. @return true if the time elapsed, false if the watch was ended */
    private boolean pause(long ns) {
        try {
            return !end.await(ns, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    int run(long intervalNs, int count) throws IOException {
        if (output.format() == Format.CSV) {
            throw new MisuseException("--watch prints a table or json");
        }
        look();
        if (output.format() == Format.TABLE) {
            terminal.out()
                    .append("Watching " + String.join(", ", watched())
                            + "; one line per queue or counter that "
                            + (ports == null ? "grows" : "changes") + "; Ctrl-C ends it\n");
        }
        sockets(true);
        terminal.flush();
        Interruption interruption = Interruption.of(end::countDown);
        try (interruption) {
            for (int i = 0; i < count && pause(intervalNs); i++) {
                look();
                report(losses(), queues());
                terminal.flush();
            }
        }
        totals();
        terminal.flush();
        return lost == 0 ? ExitCode.DONE : ExitCode.FOUND;
    }

    private void look() {
        doctor.look();
        if (ports != null) {
            try {
                ports.look();
            } catch (LinuxException e) {
                throw new MisuseException("this kernel does not report sockets (" + e.getMessage()
                        + "); load its module: modprobe -a udp_diag tcp_diag");
            }
        }
    }

    private List<String> watched() {
        List<String> watched = new ArrayList<>(List.of(
                ports == null
                        ? "sockets"
                        : "port " + ports.ports().stream().map(String::valueOf).collect(joining(", ")),
                "processors"));
        if (ports == null && doctor.interfaces().isEmpty()) {
            return List.of("sockets and processors");
        }
        watched.addAll(doctor.interfaces());
        return watched;
    }

    private List<Loss> losses() {
        if (ports == null) {
            return doctor.growing();
        }
        List<Loss> losses = new ArrayList<>(ports.losses());
        doctor.growing().stream()
                .filter(loss -> !OF_SOCKETS.contains(loss.cause()))
                .forEach(losses::add);
        return losses;
    }

    /** Queues that grew; of sockets only where no port is chosen. */
    private List<QueueLevel> queues() {
        return doctor.fillingQueues().stream()
                .filter(queue -> ports == null || queue.unit().equals("packets"))
                .toList();
    }

    private void totals() throws IOException {
        if (output.format() == Format.JSON) {
            if (ports != null) {
                PortFields.totals(nowNs(), ports, lost, terminal);
            }
            return;
        }
        if (ports != null) {
            PortText.totals(ports, terminal, terminal.isColored(output.color()));
        }
        terminal.out().append(lost == 0 ? "Nothing was lost\n" : Words.count(lost, "packet") + " lost\n");
    }

    private static long nowNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /** The sockets of the ports that changed; at the first look, all of them. */
    private void sockets(boolean isFirst) throws IOException {
        if (ports == null || output.format() == Format.JSON) {
            return;
        }
        List<PortSocket> all = ports.sockets();
        List<PortSocket> chosen =
                isFirst ? all : all.stream().filter(PortSocket::hasChanged).toList();
        List<PortSocket> first = PortText.first(chosen);
        long atNs = nowNs();
        for (PortSocket socket : first) {
            boolean isGrowing = socket.receive().waiting() > socket.receive().before()
                    || socket.send().waiting() > socket.send().before();
            line(
                    atNs,
                    socket.subject(),
                    isGrowing ? Style.WARNING : Style.PLAIN,
                    "queues",
                    PortText.state(socket),
                    terminal.isColored(output.color()));
        }
        if (chosen.size() > first.size()) {
            terminal.out()
                    .append("and " + Words.count(chosen.size() - (long) first.size(), "connection") + " more"
                            + (isFirst ? "" : " changed") + '\n');
        }
        if (isFirst && all.isEmpty()) {
            terminal.out().append("No socket has this port yet\n");
        }
    }

    private void report(List<Loss> losses, List<QueueLevel> queues) throws IOException {
        lost += losses.stream().mapToLong(Loss::grown).sum();
        if (losses.isEmpty() && queues.isEmpty() && ports == null) {
            return;
        }
        long atNs = nowNs();
        if (output.format() == Format.JSON) {
            DoctorFields.look(atNs, losses, queues, ports, terminal);
            return;
        }
        boolean colored = terminal.isColored(output.color());
        for (Loss loss : losses) {
            line(
                    atNs,
                    loss.subject(),
                    Style.BAD,
                    "lost " + Decimals.grouped(loss.grown()),
                    loss.cause().words() + " (" + loss.counters() + ", " + Decimals.grouped(loss.total()) + " in all)"
                            + (loss.limit() > 0 ? "; " + level(loss.waiting(), loss.limit(), unit(loss)) : ""),
                    colored);
        }
        for (QueueLevel queue : queues) {
            line(
                    atNs,
                    queue.subject(),
                    Style.WARNING,
                    "grew by " + Decimals.grouped(queue.waiting() - queue.before()),
                    level(queue.waiting(), queue.limit(), queue.unit()),
                    colored);
        }
        sockets(false);
    }

    private static String unit(Loss loss) {
        return loss.cause() == Loss.Cause.ACCEPT_QUEUE ? "connections" : "bytes";
    }

    private static String level(long waiting, long limit, String unit) {
        return Decimals.grouped(waiting) + (limit > 0 ? " of " + Decimals.grouped(limit) : "") + " " + unit + " wait";
    }

    private void line(long atNs, String subject, Style style, String what, String details, boolean colored)
            throws IOException {
        StringBuilder line = new StringBuilder(output.times().timeOfDay(atNs)).append("  ");
        style.append(line, what, colored);
        line.append("  ").append(subject.isEmpty() ? "" : Text.printable(subject) + ": ");
        terminal.out().append(line.append(Text.printable(details)).append('\n'));
    }
}
