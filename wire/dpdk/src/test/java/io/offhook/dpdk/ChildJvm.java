package io.offhook.dpdk;

import java.util.ArrayList;
import java.util.List;

/** How a main method of the tests is run in a process of its own. */
final class ChildJvm {
    private ChildJvm() {}

    static List<String> command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-ea",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
