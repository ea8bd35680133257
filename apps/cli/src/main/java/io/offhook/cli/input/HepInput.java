package io.offhook.cli.input;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import io.offhook.collector.HepCollector;
import io.offhook.collector.HepCollectorCounts;
import io.offhook.collector.HepCollectorOptions;
import io.offhook.collector.HepListener;
import io.offhook.report.text.Words;
import io.offhook.transport.TlsContext;
import io.offhook.transport.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where agents send by HEP, as the options have it.
 *
 * @param listeners the addresses, at least one
 * @param key the authentication key that is required; null for none
 * @param tls the certificate; null if none is needed
 */
public record HepInput(
        List<HepListener> listeners,
        @Nullable String key,
        @Nullable TlsContext tls) {
    /** The option for the authentication key, of what is received and of what is sent. */
    public static final String KEY = "--hep-key";

    private static final String CERTIFICATE = "--hep-certificate";
    private static final long MOST_BUFFER = 1L << 30;
    private static final long LEAST_BUFFER = 1L << 20;

    /** Adds the options. */
    public static void describe(CommandSpec spec) {
        spec.addOption(
                LiveOptions.HEP,
                "WHERE",
                List.class,
                "Receive what capture agents send by HEP: udp:9060, tcp:192.0.2.1:9060, tls:[::]:9061; without an"
                        + " address, on all of IPv4. What they send is analysed as if captured here. Repeat it for"
                        + " several; -i may be given too.");
        spec.addOption(
                KEY,
                "KEY",
                String.class,
                "The authentication key: with --hep, packets without it are refused. @FILE reads it from the first"
                        + " line of a file, which other users of this machine cannot see.");
        spec.addOption(
                CERTIFICATE,
                "FILE",
                String.class,
                "With --hep tls: the certificate, those that vouch for it, and its private key, in PEM.");
    }

    /** As {@link #describe}, for a command that either reads files or receives. */
    public static void describeInsteadOfFiles(CommandSpec spec) {
        describe(spec);
        spec.parametersOr(Objects.requireNonNull(spec.option(LiveOptions.HEP)));
    }

    /** Reads the options. */
    static HepInput of(ParseResult arguments) {
        if (arguments.hasMatchedOption("--filter")) {
            throw new MisuseException("--filter applies to packets of interfaces and files, not to --hep");
        }
        List<String> texts = arguments.matchedOptionValue(LiveOptions.HEP, List.of());
        List<HepListener> listeners = new ArrayList<>();
        for (String text : texts) {
            try {
                listeners.add(HepListener.parse(text));
            } catch (IllegalArgumentException e) {
                throw new MisuseException("--hep " + e.getMessage());
            }
        }
        boolean needsTls = listeners.stream().anyMatch(at -> at.transport() == HepListener.Transport.TLS);
        String certificate = arguments.optionValue(CERTIFICATE, String.class);
        if (needsTls != (certificate != null)) {
            throw new MisuseException(
                    needsTls
                            ? "--hep tls: requires " + CERTIFICATE + " FILE"
                            : CERTIFICATE + " requires --hep tls:, which alone has one");
        }
        return new HepInput(listeners, key(arguments), certificate == null ? null : tls(Path.of(certificate)));
    }

    /** The authentication key; null if there is none. */
    public static @Nullable String key(ParseResult arguments) {
        String key = arguments.optionValue(KEY, String.class);
        if (key != null && key.startsWith("@")) {
            key = firstLine(Path.of(key.substring(1)));
        }
        if (key != null && key.isEmpty()) {
            throw new MisuseException(KEY + " is empty");
        }
        return key;
    }

    private static String firstLine(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.findFirst().orElse("");
        } catch (IOException e) {
            throw new MisuseException(KEY + " @" + file + ": cannot be read: " + e.getMessage());
        }
    }

    private static TlsContext tls(Path file) {
        try {
            return TlsContext.server(TlsIdentity.read(file, file));
        } catch (IOException e) {
            throw new MisuseException(CERTIFICATE + " " + file + ": " + e.getMessage());
        }
    }

    /**
     * Begins to receive, at each address by a collector of its own.
     *
     * @param bufferBytes the most bytes of each that wait to be analysed
     */
    List<HepCollector> open(long bufferBytes) {
        List<HepCollector> collectors = new ArrayList<>();
        try {
            for (HepListener listener : listeners) {
                boolean needsTls = listener.transport() == HepListener.Transport.TLS;
                collectors.add(HepCollector.open(HepCollectorOptions.of(List.of(listener), needsTls ? tls : null)
                        .withKey(key)
                        .withBuffer(Math.clamp(bufferBytes, LEAST_BUFFER, MOST_BUFFER))));
            }
            return collectors;
        } catch (IOException e) {
            collectors.forEach(HepCollector::close);
            throw new MisuseException("--hep: " + e.getMessage());
        }
    }

    /** Whether an interface of a source is where agents send, by its name. */
    public static boolean isNameOfAgents(String name) {
        return name.startsWith("HEP "); // the kernel has no interface with a space in its name
    }

    /** "HEP udp:0.0.0.0:9060". */
    static String name(HepCollector collector) {
        return Objects.requireNonNull(collector.interfaces().getFirst().name());
    }

    /** Reports on standard error what was refused, if anything was. */
    static void report(HepCollectorCounts counts, Terminal terminal) {
        HepCollectorCounts.Connections connections = counts.connections();
        line(counts.wrongKey(), "HEP packet", "refused: no authentication key, or a wrong one", terminal);
        line(counts.malformed(), "HEP packet", "refused: malformed", terminal);
        line(counts.tooLong(), "HEP packet", "refused: too long for a datagram", terminal);
        line(counts.notHep(), "datagram", "refused: not HEP", terminal);
        line(connections.notHep(), "connection", "closed: what came was not HEP 3", terminal);
        line(connections.slow(), "connection", "closed: a packet or the handshake was not complete in time", terminal);
        line(connections.tlsFailed(), "connection", "closed: TLS failed", terminal);
        line(connections.refused(), "connection", "refused: too many", terminal);
    }

    private static void line(long count, String what, String became, Terminal terminal) {
        if (count > 0) {
            terminal.err().println("offhook: " + Words.count(count, what) + ' ' + became);
        }
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "HEP on " + listeners;
    }
}
