package io.offhook.pcap.file;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.pcap.CaptureFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The captures beside the project, for tests that take all of them. */
final class SharedCaptures {
    static final Path FOLDER = find();

    private SharedCaptures() {}

    private static Path find() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.exists(directory.resolve("../shared/captures/truth.tsv"))) {
            directory = directory.getParent();
        }
        return directory == null
                ? Path.of("shared/captures")
                : directory.resolve("../shared/captures").normalize();
    }

    /** All of them, by path; the test is skipped where they are not. */
    static List<Path> all() {
        assumeTrue(Files.exists(FOLDER.resolve("truth.tsv")), "no captures beside the project");
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(FOLDER.resolve("truth")))
                    .filter(file -> !file.toString().matches(".*\\.(md|tsv)"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those in pcapng. */
    static List<Path> pcapNg() {
        return all().stream().filter(SharedCaptures::isPcapNg).toList();
    }

    private static boolean isPcapNg(Path file) {
        try (CaptureFileSource source = CaptureFiles.open(file.toString())) {
            return source.files().getFirst().format() == CaptureFormat.PCAPNG;
        }
    }
}
