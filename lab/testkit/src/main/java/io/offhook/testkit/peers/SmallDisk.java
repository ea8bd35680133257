package io.offhook.testkit.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A disk of 24 MB, which a program of a test fills: a tmpfs in a mount namespace of its own. */
public final class SmallDisk {
    private static final Path UNSHARE = Path.of("/usr/bin/unshare");

    private SmallDisk() {}

    /** Whether there can be one: as root, with unshare(1). */
    public static boolean isPossible() {
        return Files.isExecutable(UNSHARE) && "root".equals(System.getProperty("user.name"));
    }

    /**
     * Runs a program, which is given the folder where the disk is.
     *
     * @param folder empty
     * @return the first line that it prints
     * @throws IllegalStateException if it prints none
     */
    public static String run(Class<?> program, Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                UNSHARE.toString(),
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=24m tmpfs \"$0\" && exec \"$@\"",
                folder.toString()));
        command.addAll(JavaProcess.command(
                List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"), program, folder.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader()) {
            String printed = lines.readLine();
            if (printed == null) {
                throw new IllegalStateException(program.getSimpleName() + " printed nothing");
            }
            return printed;
        } finally {
            process.destroy();
        }
    }
}
