package io.offhook.cli;

import io.offhook.cli.audio.AudioCommand;
import io.offhook.cli.calls.CallsCommand;
import io.offhook.cli.calls.InfoCommand;
import io.offhook.cli.calls.RegistrationsCommand;
import io.offhook.cli.calls.StreamsCommand;
import io.offhook.cli.capture.CaptureCommand;
import io.offhook.cli.capture.CaptureRecorder;
import io.offhook.cli.capture.InterfacesCommand;
import io.offhook.cli.command.Command;
import io.offhook.cli.doctor.DoctorCommand;
import io.offhook.cli.filter.FilterCommand;
import io.offhook.cli.filter.MatchCommand;
import io.offhook.cli.flows.FlowsCommand;
import io.offhook.cli.forward.ForwardCommand;
import io.offhook.cli.ladder.CallCommand;
import io.offhook.cli.messages.MessagesCommand;
import io.offhook.cli.print.PrintCommand;
import io.offhook.cli.proxy.ProxyCommand;
import io.offhook.cli.replay.ReplayCommand;
import io.offhook.cli.reproduce.ReproduceCommand;
import io.offhook.cli.rewrite.RewriteCommand;
import io.offhook.cli.rewrite.SplitCommand;
import io.offhook.cli.screen.BrowseCommand;
import io.offhook.cli.serve.ServeCommand;
import io.offhook.cli.sql.AskCommand;
import io.offhook.cli.sql.ExportCommand;
import io.offhook.cli.sql.SqlCommand;
import io.offhook.cli.stats.StatsCommand;
import io.offhook.cli.threads.ThreadsCommand;
import io.offhook.cli.where.WhereCommand;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The subcommands of {@code offhook}, in the order of the help. The class of a command is loaded only when it runs. */
enum Subcommand {
    CALLS("List calls: parties, times, outcome, quality, and what is wrong with bad ones."),
    CALL("Show one call as a ladder of its messages and media; -w writes its packets to a file."),
    BROWSE("Walk through calls on the terminal: list, ladder, messages, streams; from files or live."),
    REPRODUCE("Make a sipp scenario of one call, which plays it again; check it, or make it smaller."),
    AUDIO("Write the audio of one call to a WAV file, one channel a side, as the far end heard it."),
    STATS("Count calls: ASR, NER, ACD, PDD, busy hour, codes, codecs, software, by trunk address."),
    WHERE("Compare captures of several points: on which side of each point calls lost packets."),
    SERVE("Show calls on a page in the browser, live or from files, and keep them in a database."),
    REGISTRATIONS("List registrations: who registers where, and with what result."),
    STREAMS("List RTP streams with their statistics; --wireshark computes them as Wireshark does."),
    MESSAGES("List SIP messages."),
    ASK("Ask a database or captures a question that comes with Offhook: worst-calls, one-way, asr-acd..."),
    SQL("Ask a database of calls, or captures, by SQL."),
    EXPORT("Export a database of calls to Parquet by day, JSON or CSV."),
    FLOWS("List flows: endpoints, packets, bytes, round-trip times and retransmissions."),
    INFO("Summarise the content of each file."),
    PRINT("Print packets, one per line; -v prints every layer with its fields."),
    FILTER("Print the program that a filter expression compiles to, as tcpdump -d does."),
    MATCH("Report which packets each of many filter expressions matches."),
    CONVERT("Write packets to another file: in another format, selected, shortened or anonymised."),
    MERGE("Merge several captures into one, by time."),
    SPLIT("Split a capture into several files, by packets, size or time, per call or per flow."),
    CAPTURE("Capture from network interfaces to a file, or to a series of files."),
    REPLAY("Send captures to an interface: as recorded, faster, at a fixed rate, or in a loop."),
    INTERFACES("List interfaces to capture from, and what is missing to do so."),
    FORWARD("Forward packets between interfaces, as a file describes: bridge, router, filter, NAT."),
    PROXY("Run a SIP proxy and registrar; look into one that runs."),
    DOCTOR("Check this machine for what loses packets, and print the commands that fix it."),
    THREADS("Watch the threads of a process: processor time, run queues; of a JVM states, locks, pauses."),
    COMPLETION("Print a script by which bash, zsh or fish completes commands and options."),
    /** Hidden; packages are made with it. */
    MAN(""),
    /** Hidden; the launcher runs it once to create the AOT cache. */
    TRAIN("");

    private final String summary;

    Subcommand(String summary) {
        this.summary = summary;
    }

    static @Nullable Subcommand named(String name) {
        for (Subcommand subcommand : values()) {
            if (subcommand.label().equals(name)) {
                return subcommand;
            }
        }
        return null;
    }

    /** The subcommand as typed. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one-sentence summary in the help; empty if hidden. */
    String summary() {
        return summary;
    }

    boolean isHidden() {
        return summary.isEmpty();
    }

    Command make() {
        return switch (this) {
            case CALLS -> new CallsCommand(new CaptureRecorder());
            case CALL -> new CallCommand();
            case BROWSE -> new BrowseCommand();
            case REPRODUCE -> new ReproduceCommand();
            case AUDIO -> new AudioCommand();
            case STATS -> new StatsCommand();
            case WHERE -> new WhereCommand();
            case SERVE -> new ServeCommand();
            case REGISTRATIONS -> new RegistrationsCommand();
            case STREAMS -> new StreamsCommand();
            case MESSAGES -> new MessagesCommand();
            case ASK -> new AskCommand();
            case SQL -> new SqlCommand();
            case EXPORT -> new ExportCommand();
            case FLOWS -> new FlowsCommand();
            case INFO -> new InfoCommand();
            case PRINT -> new PrintCommand();
            case FILTER -> new FilterCommand();
            case MATCH -> new MatchCommand();
            case CONVERT -> RewriteCommand.convert();
            case MERGE -> RewriteCommand.merge();
            case SPLIT -> new SplitCommand();
            case CAPTURE -> new CaptureCommand();
            case REPLAY -> new ReplayCommand();
            case INTERFACES -> new InterfacesCommand();
            case FORWARD -> new ForwardCommand();
            case PROXY -> new ProxyCommand();
            case DOCTOR -> new DoctorCommand();
            case THREADS -> new ThreadsCommand();
            case COMPLETION -> new CompletionCommand();
            case MAN -> new ManCommand();
            case TRAIN -> new TrainCommand();
        };
    }
}
