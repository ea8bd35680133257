package io.offhook.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What every command that reads captures writes for each of many captures, as a line with exit code, size and hash: two
 * builds whose lines are the same do the same.
 *
 * <p>{@code GoldenOutputs CAPTURES OUT.tsv [KEPT]}: all captures below a folder; KEPT is a folder that gets each output as
 * a file, to be compared where lines differ. {@link GoldenOutputTest} does the same with the samples.
 */
final class GoldenOutputs {
    /** FILE is the capture; what a command writes for it must be a function of the capture alone. */
    private static final List<String> COMMANDS = List.of(
            "calls --utc FILE",
            "calls --bad --fail-on bad --format csv FILE",
            "calls --format json --lanes 1 FILE",
            "calls --format json --lanes 3 --rtp-heuristic FILE",
            "streams --utc FILE",
            "streams --format csv FILE",
            "streams --format json FILE",
            "streams --wireshark --rtp-heuristic --format json FILE",
            "registrations --utc FILE",
            "registrations --format json FILE",
            "registrations --format csv FILE",
            "messages --utc FILE",
            "messages -v --format json FILE",
            "messages --format csv FILE",
            "info --utc FILE",
            "info --format json FILE",
            "info --format csv FILE",
            "flows --utc FILE",
            "flows --format json FILE",
            "flows --format csv --sort first FILE",
            "print --utc FILE",
            "print -v --utc FILE",
            "print -x --utc FILE",
            "print -v --format json FILE",
            "print --format csv FILE",
            "print --utc --outcome answered FILE",
            "print --format json --from * --filter not%20tcp FILE",
            "call 1 --utc --sdp FILE",
            "call 2 --format json --messages FILE",
            "call 1 --format csv FILE",
            "call 1 -w - FILE",
            "call 2 -w - FILE",
            "call 3 -w - FILE",
            "flows --outcome answered,busy,cancelled,declined,failed,unavailable --format json FILE",
            "info --from * --format json FILE",
            "convert -w - --to pcapng FILE",
            "convert -w - --to pcap --headers-only --anonymize KEY FILE",
            "merge -w - FILE FILE",
            "where --utc FILE FILE");

    private GoldenOutputs() {}

    public static void main(String[] args) throws IOException {
        Path captures = Path.of(args[0]);
        List<Path> files = files(captures);
        List<Line> lines = lines(captures, files, args.length > 2 ? Path.of(args[2]) : null);
        Files.write(Path.of(args[1]), lines.stream().map(Line::toString).toList());
    }

    /** What a command wrote for a capture: exit code, bytes, and the beginning of their SHA-256. */
    record Line(String command, String capture, int code, int bytes, String hash) {
        @Override
        public String toString() {
            return String.join("\t", command, capture, Integer.toString(code), Integer.toString(bytes), hash);
        }
    }

    /** All files below a folder whose beginning is that of a capture, whatever their names; in order. */
    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> !path.toString()
                            .matches(".*\\.(md|tsv|txt|json|py|sh|xml|java|proto|html|pdf)|.*/truth/.*"))
                    .sorted()
                    .toList();
        }
    }

    /** By command and capture. Outputs go to files of a folder where one is given. */
    static List<Line> lines(Path folder, List<Path> captures, @Nullable Path kept) throws IOException {
        Path key = Files.createTempFile("golden", ".key");
        try {
            Files.writeString(key, "00112233445566778899aabbccddeeff".repeat(2));
            return captures.parallelStream()
                    .flatMap(capture -> COMMANDS.stream().map(command -> line(command, folder, capture, key, kept)))
                    .sorted(Comparator.comparing(Line::toString))
                    .toList();
        } finally {
            Files.delete(key);
        }
    }

    private static Line line(String command, Path folder, Path capture, Path key, @Nullable Path kept) {
        String[] words = command.split(" ");
        Arrays.setAll(words, i -> words[i].replace("%20", " "));
        List<String> args = new ArrayList<>(Arrays.asList(words));
        args.replaceAll(word -> word.equals("FILE") ? capture.toString() : word.equals("KEY") ? key.toString() : word);
        Offhook.Result result = new Offhook().charset(ISO_8859_1).with(args.toArray(String[]::new));
        String name = folder.relativize(capture).toString();
        // the folder is another on each machine
        String out = (result.out() + "\n--- err\n" + result.err())
                .replace(capture.toString(), name)
                .replace(key.toString(), "KEY");
        byte[] bytes = out.getBytes(ISO_8859_1);
        if (kept != null) {
            keep(kept.resolve(name.replace('/', '_') + " " + command.replace("/", "")), bytes);
        }
        return new Line(command, name, result.code(), bytes.length, hash(bytes));
    }

    static String hash(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void keep(Path file, byte[] bytes) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
