package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a payload means is no business of the walk: decision 10. */
class ApplicationsApartTest {
    private static final Path SOURCES = Path.of("src/main/java/io/offhook/packet");
    private static final Set<String> APPLICATIONS =
            Set.of("Application.java", "ApplicationFields.java", "ApplicationRecognizer.java", "SessionFields.java");

    @Test
    void nothingElseKnowsOfApplications() throws IOException {
        Pattern use = Pattern.compile("\\b(Application|ApplicationFields|ApplicationRecognizer|SessionFields)\\b");
        List<Path> files;
        try (Stream<Path> all = Files.list(SOURCES)) {
            files = all.sorted().toList();
        }
        assertThat(files).hasSizeGreaterThan(80);
        for (Path file : files) {
            String code = Files.readString(file).replaceAll("(?s)/\\*\\*.*?\\*/", "");
            if (!APPLICATIONS.contains(file.getFileName().toString())) {
                assertThat(use.matcher(code).find())
                        .as("%s names applications", file)
                        .isFalse();
            }
        }
    }
}
