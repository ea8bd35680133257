package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The options for the first compiler: it does not report names that do not exist. */
class FirstCompilerTest {
    private static final Path OPTIONS = Path.of("src/image/first-compiler.options");
    private static final String COMMAND = "-XX:CompileCommand=";

    @Test
    void eachMethodExists() throws IOException, ClassNotFoundException {
        List<String> commands = Files.readAllLines(OPTIONS).stream()
                .filter(line -> line.startsWith(COMMAND) && line.contains(",io.offhook."))
                .map(line -> line.substring(line.indexOf(',') + 1))
                .toList();
        assertThat(commands).hasSizeGreaterThan(10);
        for (String method : commands) {
            String[] names = method.split("::", 2);
            Class<?> type = Class.forName(names[0], false, FirstCompilerTest.class.getClassLoader());
            assertThat(Stream.of(type.getDeclaredMethods()).map(Method::getName))
                    .as(method)
                    .anyMatch(name -> names[1].equals("*") || names[1].equals(name));
        }
    }
}
