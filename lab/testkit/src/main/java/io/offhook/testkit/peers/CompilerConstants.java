package io.offhook.testkit.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the constants of a class that represents a C header with the C compiler's values. */
public final class CompilerConstants {
    private CompilerConstants() {}

    /**
     * Compares all constants of a class that are ints or longs. Skips the test where there is no C compiler.
     *
     * @param headers that C includes
     * @param inC C's expression for a constant, where that is not its name
     */
    public static void assertAgree(Class<?> header, List<String> headers, Map<String, String> inC, Path folder)
            throws IOException {
        assertAgree(header, headers, inC, Set.of(), folder);
    }

    /**
     * As above.
     *
     * @param chosen the constants that no header has: choices of ours
     * @param folder where source and program are written
     */
    public static void assertAgree(
            Class<?> header, List<String> headers, Map<String, String> inC, Set<String> chosen, Path folder)
            throws IOException {
        Map<String, Long> ours = ours(header);
        assertThat(ours.keySet()).containsAll(chosen);
        ours.keySet().removeAll(chosen);
        assertThat(ours.keySet()).isNotEmpty().containsAll(inC.keySet());
        List<String> expressions =
                ours.keySet().stream().map(name -> inC.getOrDefault(name, name)).toList();
        String[] lines = evaluateAll(expressions, headers, folder).split("\n", -1);
        Map<String, Long> theirs = new LinkedHashMap<>();
        int at = 0;
        for (String name : ours.keySet()) {
            theirs.put(name, asJava(Long.parseLong(lines[at++]), ours.get(name)));
        }
        assertThat(ours).isEqualTo(theirs);
    }

    /** An unsigned int of C is negative in an int of Java that has the same bits. */
    private static long asJava(long inC, long inJava) {
        return inJava < 0 && inC >>> Integer.SIZE == 0 ? (int) inC : inC;
    }

    /** Returns C's value of an expression, in decimal digits. Skips the test if there is no C compiler. */
    public static String evaluate(String expression, List<String> headers, Path folder) throws IOException {
        return evaluateAll(List.of(expression), headers, folder).strip();
    }

    /** One line per expression. */
    private static String evaluateAll(List<String> expressions, List<String> headers, Path folder) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "no C compiler is here");
        StringBuilder source = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n");
        headers.forEach(name -> source.append("#include <").append(name).append(">\n"));
        source.append("int main(void) {\n");
        for (String expression : expressions) {
            source.append("printf(\"%ld\\n\", (long)(").append(expression).append("));\n");
        }
        Path program = folder.resolve("constants.c");
        Files.writeString(program, source.append("}\n"));
        String executable = folder.resolve("constants").toString();
        Program.run("cc", "-o", executable, program.toString());
        return Program.run(executable);
    }

    private static Map<String, Long> ours(Class<?> header) {
        Map<String, Long> constants = new LinkedHashMap<>();
        for (Field field : header.getDeclaredFields()) {
            boolean isNumber = field.getType() == int.class || field.getType() == long.class;
            if (isNumber && Modifier.isStatic(field.getModifiers())) {
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
}
