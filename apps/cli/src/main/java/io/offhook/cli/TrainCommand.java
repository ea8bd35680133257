package io.offhook.cli;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * {@code offhook train DIR}: runs the most common commands on the captures of a directory and discards their output. The
 * launcher runs it once while the JVM records loaded classes for its AOT cache. It never fails.
 */
final class TrainCommand implements Command {
    private static final int ROUNDS = 2;
    private static final int MAX_FILES = 8;
    private static final int MANY = 2000;

    private static final String FILTER = "not arp and (udp port 5060 or portrange 10000-20000 or host 192.0.2.1)";

    private static final List<List<String>> WITHOUT_FILES = List.of(
            List.of("--version"),
            List.of("--help"),
            List.of("calls", "--help"),
            List.of("call", "--help"),
            List.of("streams", "--help"),
            List.of("info", "--help"),
            List.of("filter", FILTER),
            List.of("filter", "udp prot 5060"),
            List.of("nothing"));

    private static final List<List<String>> WITH_FILE = List.of(
            List.of("calls"),
            List.of("calls", "--bad", "--fail-on", "mos<3.5"),
            List.of("calls", "--format", "json"),
            List.of("calls", "--format", "csv"),
            List.of("streams"),
            List.of("streams", "--format", "json"),
            List.of("streams", "--wireshark", "--rtp-heuristic"),
            List.of("call", "#1"),
            List.of("messages"),
            List.of("registrations"),
            List.of("stats"),
            List.of("info"),
            List.of("info", "--format", "json"),
            List.of("print"),
            List.of("print", "-v", "--count", "100"),
            List.of("calls", "--filter", FILTER),
            List.of("print", "--filter", FILTER, "--count", "100"));

    @Override
    public void describe(CommandSpec spec) {
        spec.addParameter("DIR", "A directory with captures.");
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        String folder = arguments.parameter(0);
        for (int round = 0; round < ROUNDS; round++) {
            WITHOUT_FILES.forEach(TrainCommand::quietly);
            for (String file : captures(folder)) {
                for (List<String> words : WITH_FILE) {
                    List<String> line = new ArrayList<>(words);
                    line.add(file);
                    quietly(line);
                }
            }
        }
        sortMany();
        return ExitCode.DONE;
    }

    /** Sorts as much as captures of a thousand calls do: the classes that the JDK has for it would be made in each start. */
    private static void sortMany() {
        int[] numbers = new Random(1).ints(MANY).toArray();
        Arrays.sort(numbers);
        long[] times = new Random(1).longs(MANY).toArray();
        Arrays.sort(times);
    }

    private static List<String> captures(String folder) {
        String[] names =
                new File(folder).list((directory, name) -> name.matches(".*\\.(pcap|pcapng|cap)(\\.gz|\\.zst)?"));
        if (names == null) {
            return List.of();
        }
        Arrays.sort(names);
        List<String> files = new ArrayList<>();
        for (int i = 0; i < Math.min(MAX_FILES, names.length); i++) {
            files.add(folder + File.separator + names[i]);
        }
        return files;
    }

    /** Runs a command as on a terminal with colours, which loads more classes than output to a pipe. */
    private static void quietly(List<String> words) {
        Terminal nowhere = new Terminal(
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                new ByteArrayInputStream(new byte[0]),
                Map.of(),
                StandardCharsets.UTF_8,
                "1");
        int code = Main.run(words.toArray(String[]::new), nowhere);
        assert code >= 0;
    }
}
