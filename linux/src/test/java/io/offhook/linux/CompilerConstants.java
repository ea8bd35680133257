package io.offhook.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The constants of a header class against what the C compiler makes of the header. */
final class CompilerConstants {
    private CompilerConstants() {}

    /**
     * Compares all constants of a class that are ints.
     *
     * @param headers that C includes
     * @param inC C's expression for a constant, where that is not its name
     */
    static void assertAgree(Class<?> header, List<String> headers, Map<String, String> inC, Path folder)
            throws IOException, InterruptedException {
        assertAgree(header, headers, inC, Set.of(), folder);
    }

    /**
     * As above.
     *
     * @param chosen those that no header has: they are choices of ours
     */
    static void assertAgree(
            Class<?> header, List<String> headers, Map<String, String> inC, Set<String> chosen, Path folder)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        StringBuilder source = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        headers.forEach(name -> source.append("#include <").append(name).append(">\n"));
        source.append("int main(void) {\n");
        Map<String, Integer> ours = ours(header);
        assertThat(ours.keySet()).containsAll(chosen);
        ours.keySet().removeAll(chosen);
        Set<String> names = new TreeSet<>(ours.keySet());
        assertThat(names).isNotEmpty().containsAll(inC.keySet());
        for (String name : ours.keySet()) {
            source.append("printf(\"%d\\n\", (int)(")
                    .append(inC.getOrDefault(name, name))
                    .append("));\n");
        }
        Path program = folder.resolve("constants.c");
        Files.writeString(program, source.append("}\n"));
        String executable = folder.resolve("constants").toString();
        run("cc", "-o", executable, program.toString());
        Map<String, Integer> theirs = new LinkedHashMap<>();
        String[] lines = run(executable).split("\n", -1);
        int at = 0;
        for (String name : ours.keySet()) {
            theirs.put(name, Integer.valueOf(lines[at++]));
        }
        assertThat(ours).isEqualTo(theirs);
    }

    /** What C makes of one expression. */
    static String evaluate(String expression, List<String> headers, Path folder)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        StringBuilder source = new StringBuilder("#include <stdio.h>\n");
        headers.forEach(name -> source.append("#include <").append(name).append(">\n"));
        Path program = folder.resolve("expression.c");
        Files.writeString(
                program,
                source.append("int main(void) { printf(\"%ld\", (long)(")
                        .append(expression)
                        .append(")); }\n"));
        String executable = folder.resolve("expression").toString();
        run("cc", "-o", executable, program.toString());
        return run(executable);
    }

    private static Map<String, Integer> ours(Class<?> header) {
        Map<String, Integer> constants = new LinkedHashMap<>();
        for (Field field : header.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                try {
                    field.setAccessible(true);
                    constants.put(field.getName(), field.getInt(null));
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return constants;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
