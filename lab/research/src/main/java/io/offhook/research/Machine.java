package io.offhook.research;

import io.offhook.testkit.peers.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine on which figures were measured: the head of a report, which distinguishes machines. */
final class Machine {
    private Machine() {}

    /** The properties that are known on this machine, in the order of display. */
    static Map<String, String> describe() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("measuredAt", Instant.now().toString().replaceAll("\\.\\d+Z", "Z"));
        all.put("processor", processor());
        all.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        all.put("memory", memory());
        all.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        all.put(
                "java",
                System.getProperty("java.vendor.version") + " (" + System.getProperty("java.vm.name") + " "
                        + Runtime.version() + ")");
        all.put("compiler", Program.firstLine("cc", "--version"));
        return all;
    }

    private static String processor() {
        return field(Path.of("/proc/cpuinfo"), "model name");
    }

    private static String memory() {
        String total = field(Path.of("/proc/meminfo"), "MemTotal");
        String digits = total.replaceAll("\\D", "");
        return digits.isEmpty() ? total : Long.parseLong(digits) / (1 << 20) + " GiB";
    }

    private static String field(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        } catch (IOException e) {
            // another system: it has no such file
        }
        return "unknown";
    }
}
