package io.offhook.live;

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
     * Compares all constants of a class that are ints or longs.
     *
     * @param headers that C includes
     * @param inC C's expression for a constant, where that is not its name
     */
    static void assertAgree(Class<?> header, List<String> headers, Map<String, String> inC, Path folder)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        StringBuilder source = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        headers.forEach(name -> source.append("#include <").append(name).append(">\n"));
        source.append("int main(void) {\n");
        Map<String, Long> ours = ours(header);
        Set<String> names = new TreeSet<>(ours.keySet());
        assertThat(names).isNotEmpty().containsAll(inC.keySet());
        for (String name : ours.keySet()) {
            source.append("printf(\"%ld\\n\", (long)(")
                    .append(inC.getOrDefault(name, name))
                    .append("));\n");
        }
        Path program = folder.resolve("constants.c");
        Files.writeString(program, source.append("}\n"));
        String executable = folder.resolve("constants").toString();
        run("cc", "-o", executable, program.toString());
        Map<String, Long> theirs = new LinkedHashMap<>();
        String[] lines = run(executable).split("\n", -1);
        int at = 0;
        for (String name : ours.keySet()) {
            theirs.put(name, Long.valueOf(lines[at++]));
        }
        assertThat(ours).isEqualTo(theirs);
    }

    private static Map<String, Long> ours(Class<?> header) {
        Map<String, Long> constants = new LinkedHashMap<>();
        for (Field field : header.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && (field.getType() == int.class || field.getType() == long.class)) {
                try {
                    field.setAccessible(true);
                    constants.put(field.getName(), field.getLong(null));
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
