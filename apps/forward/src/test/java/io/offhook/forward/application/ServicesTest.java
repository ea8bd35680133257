package io.offhook.forward.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What implements a service is provided: what nobody lists could not be named in a file. */
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
    void everyImplementationIsProvidedAndFound(Class<?> service) throws IOException {
        Pattern implementation = Pattern.compile(
                "public final class (\\w+) (implements |extends \\w*)" + service.getSimpleName() + "\\b");
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

    @ParameterizedTest
    @ValueSource(classes = {StageType.class, PortBackend.class})
    void aProviderThatIsMissingIsNamedAndSpoilsNothing(Class<?> service, @TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(service.getName()), "com.example.Missing\n");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            assertThatThrownBy(ForwardKeys::load)
                    .isInstanceOf(ServiceConfigurationError.class)
                    .hasMessage(service.getName() + ": Provider com.example.Missing not found");
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(ForwardKeys.load()).isNotNull();
    }
}
