package io.offhook.proxy.location;

import io.offhook.testkit.peers.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of a test's own, in a temporary directory and on a free port of loopback. */
final class PostgresCluster {
    private final Path directory;
    private final Path programs;
    private final int port;
    private @Nullable Process server;

    private PostgresCluster(Path directory, Path programs, int port) {
        this.directory = directory;
        this.programs = programs;
        this.port = port;
    }

    /** The directory with initdb; null if PostgreSQL's server is not installed. */
    static @Nullable Path programs() throws IOException {
        Path all = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(all)) {
            return null;
        }
        try (Stream<Path> versions = Files.list(all)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    static PostgresCluster start(Path programs) throws Exception {
        Path directory = Files.createTempDirectory("offhook-postgres");
        int port = LoopbackPorts.free();
        PostgresCluster cluster = new PostgresCluster(directory, programs, port);
        if (isRoot()) {
            run(List.of("chown", "postgres", directory.toString()));
        }
        cluster.runAsOwner(
                programs.resolve("initdb").toString(), "-D", directory + "/data", "-U", "offhook", "-A", "trust", "-N");
        cluster.begin();
        return cluster;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** PostgreSQL refuses to run as root. */
    private static List<String> asOwner(String... command) {
        List<String> words = new ArrayList<>();
        if (isRoot()) {
            words.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        words.addAll(List.of(command));
        return words;
    }

    private void runAsOwner(String... command) throws IOException, InterruptedException {
        run(asOwner(command));
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(Path.of("/").toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }

    /** Starts the server, again too, and waits until it answers. */
    void begin() throws Exception {
        server = new ProcessBuilder(asOwner(
                        programs.resolve("postgres").toString(),
                        "-D",
                        directory + "/data",
                        "-p",
                        String.valueOf(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=" + directory,
                        "-c",
                        "fsync=off"))
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        SQLException last = null;
        for (int i = 0; i < 300; i++) {
            try (Connection connection = connect()) {
                if (connection.isValid(5)) {
                    return;
                }
            } catch (SQLException e) {
                last = e;
                if (!server.isAlive()) {
                    break;
                }
                Thread.sleep(100);
            }
        }
        throw new IOException("PostgreSQL does not answer: " + Files.readString(directory.resolve("log")), last);
    }

    /** Ends the server at once, and with it all connections. */
    void end() throws Exception {
        Process running = server;
        if (running != null) {
            runAsOwner(
                    programs.resolve("pg_ctl").toString(), "-D", directory + "/data", "-m", "immediate", "-w", "stop");
            if (!running.waitFor(30, TimeUnit.SECONDS)) {
                running.destroyForcibly();
            }
            server = null;
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), "offhook", "");
    }

    void close() throws Exception {
        try {
            end();
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
