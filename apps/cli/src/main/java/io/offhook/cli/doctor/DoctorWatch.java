package io.offhook.cli.doctor;

import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.Format;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Decimals;
import io.offhook.cli.terminal.Interruption;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.cli.terminal.Words;
import io.offhook.doctor.Doctor;
import io.offhook.doctor.Loss;
import io.offhook.doctor.QueueLevel;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** {@code offhook doctor --watch}: reads the counters at intervals and reports those that grew. */
final class DoctorWatch {
    private final Doctor doctor;
    private final OutputOptions output;
    private final Terminal terminal;
    private final CountDownLatch end = new CountDownLatch(1);
    private long lost;

    DoctorWatch(Doctor doctor, OutputOptions output, Terminal terminal) {
        this.doctor = doctor;
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
        doctor.look();
        if (output.format() == Format.TABLE) {
            terminal.out()
                    .append("Watching "
                            + (doctor.interfaces().isEmpty()
                                    ? "sockets and processors"
                                    : "sockets, processors, " + String.join(", ", doctor.interfaces()))
                            + "; one line per queue or counter that grows; Ctrl-C ends it\n");
            terminal.flush();
        }
        Interruption interruption = Interruption.of(end::countDown);
        try (interruption) {
            for (int i = 0; i < count && pause(intervalNs); i++) {
                doctor.look();
                report(doctor.growing(), doctor.fillingQueues());
                terminal.flush();
            }
        }
        if (output.format() == Format.TABLE) {
            terminal.out().append(lost == 0 ? "Nothing was lost\n" : Words.count(lost, "packet") + " lost\n");
            terminal.flush();
        }
        return lost == 0 ? ExitCode.DONE : ExitCode.FOUND;
    }

    private void report(List<Loss> losses, List<QueueLevel> queues) throws IOException {
        lost += losses.stream().mapToLong(Loss::grown).sum();
        if (losses.isEmpty() && queues.isEmpty()) {
            return;
        }
        Instant now = Instant.now();
        long atNs = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        if (output.format() == Format.JSON) {
            DoctorFields.look(atNs, losses, queues, terminal);
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
                            + (loss.limit() > 0 ? "; " + level(loss.waiting(), loss.limit(), "bytes") : ""),
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
