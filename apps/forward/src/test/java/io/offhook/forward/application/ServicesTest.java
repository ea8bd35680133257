package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the module provides is provided on the class path too: there the product runs. */
class ServicesTest {
    private static final Path MAIN = Path.of("src/main");

    private static List<String> ofModule(Class<?> service) throws IOException {
        Matcher provides = Pattern.compile("provides " + Pattern.quote(service.getName()) + " with\\s+([^;]+);")
                .matcher(Files.readString(MAIN.resolve("java/module-info.java")));
        assertThat(provides.find()).isTrue();
        return List.of(provides.group(1).trim().split("\\s*,\\s*"));
    }

    @ParameterizedTest
    @ValueSource(classes = {StageType.class, PortBackend.class})
    void theModuleAndTheClassPathProvideTheSame(Class<?> service) throws IOException {
        List<String> ofClassPath = Files.readAllLines(MAIN.resolve("resources/META-INF/services/" + service.getName()));
        assertThat(ofClassPath).isEqualTo(ofModule(service));
    }

    /** One that nobody lists could not be named. */
    @ParameterizedTest
    @ValueSource(classes = {StageType.class, PortBackend.class})
    void everyImplementationIsProvidedAndFound(Class<?> service) throws IOException {
        Pattern implementation =
                Pattern.compile("public final class (\\w+) implements " + service.getSimpleName() + "\\b");
        List<String> written;
        try (Stream<Path> files = Files.walk(MAIN.resolve("java"))) {
            written = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> found(implementation, file))
                    .map(file -> MAIN.resolve("java").relativize(file).toString())
                    .map(path -> path.replace(".java", "").replace('/', '.'))
                    .toList();
        }
        assertThat(written).containsExactlyInAnyOrderElementsOf(ofModule(service));
        assertThat(ServiceLoader.load(service))
                .extracting(found -> found.getClass().getName())
                .containsAll(written);
    }

    private static boolean found(Pattern pattern, Path file) {
        try {
            return pattern.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
