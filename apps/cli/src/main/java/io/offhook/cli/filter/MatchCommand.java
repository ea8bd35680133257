package io.offhook.cli.filter;

import io.offhook.analysis.FrameLoop;
import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.FrameFilter;
import io.offhook.cli.input.InputOptions;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Words;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * {@code offhook match EXPRESSIONS CAPTURE...}: reports which packets of each capture each expression matches. A
 * capture with several link types has lines for each link type.
 */
public final class MatchCommand implements Command {
    private static final int BATCH_FRAMES = 4096;

    private static final String HEADER = "capture\tlinktype\texpression\tpackets\tmatched\tframes_sha1\n";

    /** Compiled expressions by link type. */
    private final Map<Integer, List<MatchExpression>> compiled = new HashMap<>();

    private @Nullable RuntimeException defect;

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("EXPRESSIONS", "A file with one filter expression per line; # begins a comment.");
        InputOptions.describeFiles(spec, 1);
        InputOptions.describeFilter(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        List<String> expressions = expressions(arguments.parameter(0));
        List<String> paths = CaptureFiles.expand(InputOptions.files(arguments, 1));
        FrameFilter filter = InputOptions.filter(arguments);
        List<CaptureFault> faults = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        terminal.out().append(HEADER);
        try (Progress _ =
                Progress.of(() -> "  " + done.get() + " of " + Words.count(paths.size(), "file") + " ", terminal)) {
            for (String path : paths) {
                try (OpenCapture input = OpenCapture.open(List.of(path), filter, terminal)) {
                    match(path, expressions, input, terminal.out());
                    faults.addAll(input.faults());
                }
                done.incrementAndGet();
            }
        }
        terminal.flush();
        return OpenCapture.report(faults, defect, ExitCode.DONE, terminal);
    }

    private static List<String> expressions(String file) throws IOException {
        List<String> expressions = new ArrayList<>();
        if (!Files.isReadable(Path.of(file))) {
            throw new MisuseException("EXPRESSIONS: " + file + " is not a readable file");
        }
        for (String line : Files.readAllLines(Path.of(file), StandardCharsets.UTF_8)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                expressions.add(line.strip());
            }
        }
        return expressions;
    }

    private void match(String path, List<String> expressions, OpenCapture input, Writer out) throws IOException {
        PacketSource source = input.source();
        Map<Integer, Long> packets = new TreeMap<>();
        FrameLoop loop = new FrameLoop(source, BATCH_FRAMES);
        loop.run(frame -> {
            packets.merge(frame.linkType(), 1L, Long::sum);
            for (MatchExpression expression : of(frame.linkType(), expressions)) {
                expression.match(frame.batch(), frame.index());
            }
        });
        defect = defect == null ? loop.defect() : defect;
        for (CaptureInterface captured : source.interfaces()) {
            packets.putIfAbsent(captured.linkType(), 0L);
        }
        for (Map.Entry<Integer, Long> entry : packets.entrySet()) {
            for (MatchExpression expression : of(entry.getKey(), expressions)) {
                out.append(path)
                        .append('\t')
                        .append(String.valueOf(entry.getKey()))
                        .append('\t');
                out.append(expression.text()).append('\t').append(String.valueOf(entry.getValue()));
                out.append('\t').append(expression.takeResult()).append('\n');
            }
        }
    }

    private List<MatchExpression> of(int linkType, List<String> expressions) {
        List<MatchExpression> found = compiled.get(linkType);
        if (found == null) {
            found = new ArrayList<>();
            for (String expression : expressions) {
                found.add(MatchExpression.of(expression, linkType));
            }
            compiled.put(linkType, found);
        }
        return found;
    }
}
