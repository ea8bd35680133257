package io.offhook.cli;

import io.offhook.cli.calls.CallsCommand;
import io.offhook.cli.calls.InfoCommand;
import io.offhook.cli.calls.RegistrationsCommand;
import io.offhook.cli.calls.StreamsCommand;
import io.offhook.cli.capture.CaptureCommand;
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
import io.offhook.cli.replay.ReplayCommand;
import io.offhook.cli.rewrite.RewriteCommand;
import io.offhook.cli.rewrite.SplitCommand;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The subcommands of {@code offhook}, in the order of its help. A command's class is loaded when it is run. */
enum Subcommand {
    CALLS("The calls: who, when, how they ended, their quality, and why the bad ones are bad."),
    CALL("One call as a ladder of its messages, with its media; -w writes its packets to a file."),
    REGISTRATIONS("Who registers where, and with what result."),
    STREAMS("The RTP streams and their figures; --wireshark for those that Wireshark prints."),
    MESSAGES("The SIP messages."),
    FLOWS("Flows: endpoints, packets, bytes, round trips and retransmissions."),
    INFO("What is in each file."),
    PRINT("The packets, a line each; -v for every layer with its fields."),
    FILTER("What a filter expression compiles to, as tcpdump -d prints it."),
    MATCH("Which packets of captures each of many filter expressions matches."),
    CONVERT("Packets to another file: another format, some of them, shortened, or anonymised."),
    MERGE("Several captures to one, by time."),
    SPLIT("A capture to several files, by packets, size or time."),
    CAPTURE("Packets of network interfaces to a file, or to files that follow each other."),
    REPLAY("Captures onto an interface: as recorded, faster, at a rate, again and again."),
    INTERFACES("What can be captured from, and what is missing to do so."),
    FORWARD("Packets from interface to interface, as a file describes it: bridge, router, filter, NAT."),
    DOCTOR("What on this machine would lose packets, and the commands that change it."),
    /** Run once by the launcher, for the AOT cache. */
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

    /** As it is typed. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** One sentence for the help. */
    String summary() {
        return summary;
    }

    boolean isHidden() {
        return summary.isEmpty();
    }

    Command make() {
        return switch (this) {
            case CALLS -> new CallsCommand();
            case CALL -> new CallCommand();
            case REGISTRATIONS -> new RegistrationsCommand();
            case STREAMS -> new StreamsCommand();
            case MESSAGES -> new MessagesCommand();
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
            case DOCTOR -> new DoctorCommand();
            case TRAIN -> new TrainCommand();
        };
    }
}
