package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a payload means, and what is reported of a header, is no business of the walk: decisions 12 and 21. */
class ApplicationsApartTest {
    private static final Path SOURCES = Path.of("src/main/java/io/offhook/packet");

    @Test
    void onlyFieldsKnowOfApplications() throws IOException {
        Pattern use =
                Pattern.compile("\\b(ApplicationRecognizer|StandardProtocols|packet\\.(application|fields)\\.\\w+)\\b");
        List<Path> files = sources();
        assertThat(files).hasSizeGreaterThan(120);
        for (Path file : files) {
            boolean isApart =
                    file.startsWith(SOURCES.resolve("application")) || file.startsWith(SOURCES.resolve("fields"));
            if (!isApart) {
                assertThat(use.matcher(code(file)).find())
                        .as("%s names applications", file)
                        .isFalse();
            }
        }
    }

    @Test
    void theWalkKnowsNoDescriptor() throws IOException {
        Pattern use = Pattern.compile("\\b(Descriptor|HeaderLayout|FieldVisitor|SafeText|UnviewedLinks\\.[A-Z][a-z])");
        for (Path file : sources()) {
            if (file.startsWith(SOURCES.resolve("walk"))) {
                assertThat(use.matcher(code(file)).find())
                        .as("%s names what is for output", file)
                        .isFalse();
            }
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            return all.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private static String code(Path file) throws IOException {
        return Files.readString(file).replaceAll("(?s)/\\*\\*.*?\\*/", "");
    }
}
