package io.offhook.cli.calls;

import io.offhook.analysis.hep.HepExport;
import io.offhook.calls.CallReport;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.HepInput;
import io.offhook.cli.terminal.Terminal;
import io.offhook.hep.HepAgent;
import io.offhook.hep.HepSender;
import io.offhook.hep.HepTarget;
import io.offhook.hep.HepTrust;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** {@code --hep-out}: sends what is analysed to a collector, as a capture agent does. */
final class HepOutput implements AutoCloseable {
    private static final String OPTION = "--hep-out";
    private static final String ID = "--hep-id";
    private static final String TRUST = "--hep-trust";
    private static final long MOST_ID = 0xffff_ffffL;
    private static final long USUAL_ID = 2001;
    private static final int RING_BYTES = 1 << 20;
    /** How long a file is held up by a collector that takes nothing. */
    private static final long FILE_WAIT_NS = 5_000_000_000L;

    private static final long LIVE_DRAIN_MS = 1000;
    private static final long FILE_DRAIN_MS = 60_000;

    private final HepTarget target;
    private final HepSender sender;
    private final HepExport export;
    private final long drainMs;

    private HepOutput(HepTarget target, HepSender sender, boolean isLive) {
        this.target = target;
        this.sender = sender;
        export = new HepExport(sender, isLive ? 0 : FILE_WAIT_NS);
        drainMs = isLive ? LIVE_DRAIN_MS : FILE_DRAIN_MS;
    }

    /** Adds the options, but for the key, which {@link HepInput} has. */
    static void describe(CommandSpec spec) {
        spec.addOption(
                OPTION,
                "WHERE",
                String.class,
                "Send SIP, RTCP and the figures of streams of ended calls to a collector by HEP: udp:HOST:9060,"
                        + " tcp:HOST:9060, tls:HOST:9061. --hep-key is sent along.");
        spec.addOption(ID, "N", Long.class, "With --hep-out: the number of this agent (default 2001).");
        spec.addOption(
                TRUST,
                "FILE",
                String.class,
                "With --hep-out tls: trust the certificates in this file (PEM) instead of those of the system.");
    }

    /** The output that the arguments ask for; null if they ask for none. */
    static @Nullable HepOutput of(ParseResult arguments, boolean isLive) {
        String where = arguments.optionValue(OPTION, String.class);
        String trusted = arguments.optionValue(TRUST, String.class);
        if (where == null) {
            for (String option : List.of(ID, TRUST)) {
                if (arguments.hasMatchedOption(option)) {
                    throw new MisuseException(option + " requires " + OPTION);
                }
            }
            return null;
        }
        HepTarget target = target(where);
        if (trusted != null && target.transport() != HepTarget.HepTransport.TLS) {
            throw new MisuseException(TRUST + " requires " + OPTION + " tls:");
        }
        long id = arguments.matchedOptionValue(ID, USUAL_ID);
        if (id < 0 || id > MOST_ID) {
            throw new MisuseException(ID + " " + id + " is outside 0 to " + Decimals.grouped(MOST_ID));
        }
        String key = HepInput.key(arguments);
        HepAgent agent = new HepAgent(id, key == null ? "" : key, "");
        return new HepOutput(target, new HepSender(target, agent, RING_BYTES, trust(trusted)), isLive);
    }

    private static HepTarget target(String where) {
        try {
            return HepTarget.parse(where);
        } catch (IllegalArgumentException e) {
            throw new MisuseException(OPTION + " " + e.getMessage());
        }
    }

    private static @Nullable SSLContext trust(@Nullable String file) {
        try {
            return file == null ? null : HepTrust.of(Path.of(file));
        } catch (IOException e) {
            throw new MisuseException(TRUST + " " + e.getMessage());
        }
    }

    HepExport export() {
        return export;
    }

    /** Sends the figures of calls that have ended. */
    void report(List<CallReport> calls) {
        for (CallReport call : calls) {
            if (call.times().endedNs() != CallReport.NEVER) {
                export.report(call);
            }
        }
    }

    /** Sends what waits and the figures of all calls, and reports on standard error what became of it. */
    void finish(List<CallReport> calls, Terminal terminal) {
        calls.forEach(export::report);
        sender.close(drainMs);
        long lost = sender.offered() - sender.sent();
        terminal.err()
                .println("offhook: " + Words.count(sender.sent(), "HEP packet") + " sent to " + target.host() + ", "
                        + Decimals.grouped(lost) + " not sent"
                        + (sender.connects() == 0 ? ": the collector could not be reached" : ""));
    }

    @Override
    public void close() {
        sender.close(0);
    }
}
