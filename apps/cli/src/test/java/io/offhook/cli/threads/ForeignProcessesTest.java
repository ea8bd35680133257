package io.offhook.cli.threads;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Json;
import io.offhook.cli.Main;
import io.offhook.cli.Offhook;
import io.offhook.linux.lanes.LaneBoard;
import io.offhook.testkit.peers.JavaProcess;
import io.offhook.testkit.peers.SmallDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code offhook threads} of processes of other users, and of those in a namespace of processes of their own. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ForeignProcessesTest {
    private static final String WAITS = "../../wire/monitor/src/test/resources/KnownMethods.java";
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    private static final List<String> IN_A_NAMESPACE =
            List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");

    @TempDir
    private Path folder;

    @BeforeAll
    static void isPossible() {
        assumeTrue(SmallDisk.isPossible(), "needs root and unshare");
    }

    private static List<String> command(List<String> how, List<String> what) {
        List<String> command = new ArrayList<>(how);
        command.addAll(what);
        return command;
    }

    private static List<String> offhook(String... arguments) {
        return JavaProcess.command(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    /** Whether nobody can run what this process runs. */
    private void assumeNobodyCan(List<String> what) throws Exception {
        Process process = new ProcessBuilder(command(AS_NOBODY, what))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("assumed").toFile())
                .start();
        assumeTrue(process.waitFor() == 0, "user 65534 may not read what it would run");
    }

    private static Map<String, Map<String, Object>> byName(Map<String, Object> watched) {
        return Json.objects(watched.get("threads")).stream()
                .collect(Collectors.toMap(thread -> Json.text(thread, "name"), thread -> thread, (a, _) -> a));
    }

    private static Map<String, Object> watched(String pid, String... more) {
        List<String> arguments = new ArrayList<>(List.of("threads", pid, "--for", "2s", "--format", "json"));
        arguments.addAll(List.of(more));
        return Json.object(Offhook.done(arguments.toArray(String[]::new)).out());
    }

    /** As root it is seen as one's own. */
    private static void seesStates(Map<String, Object> watched, String thread) {
        assertThat(watched).containsEntry("jvm", true);
        assertThat(Json.objects(watched.get("threads"))).isNotEmpty();
        Map<String, Object> states =
                Json.asObject(requireNonNull(byName(watched).get(thread)).get("states"));
        assertThat(states).containsKeys("running", "sleeping", "wait", "park", "monitor");
    }

    @Test
    void rootSeesTheJvmOfAnotherUser() throws Exception {
        Path program = folder.resolve("KnownMethods.java");
        Files.copy(Path.of(WAITS), program);
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        assertThat(folder.toFile().setReadable(true, false)).isTrue();
        assumeNobodyCan(List.of(java(), "-version"));
        assumeNobodyCan(List.of("cat", program.toString()));
        Process process = start(command(AS_NOBODY, List.of(java(), program.toString())));
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine())
                    .as(Files.readString(folder.resolve("err")))
                    .isEqualTo("ready");
            Map<String, Object> watched = watched(Long.toString(process.pid()));
            seesStates(watched, "both");
            assertThat(watched).containsEntry("notes", List.of());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void anotherUserIsToldWhatCannotBeSeenAndWhoCould() throws Exception {
        assumeNobodyCan(offhook("--version"));
        String own = Long.toString(ProcessHandle.current().pid());
        Path out = folder.resolve("out");
        List<String> watch = offhook("threads", own, "--for", "0.3", "--every", "0.1");
        String said = "whether process " + own
                + " is a JVM, what it does in Java, and which lanes it publishes cannot be seen: it is user root's; run this as root";
        Process process = new ProcessBuilder(command(AS_NOBODY, watch))
                .redirectError(folder.resolve("err").toFile())
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("err")))
                .isZero();
        assertThat(Files.readString(out)).contains(said);
        Process refused = start(command(AS_NOBODY, offhook("threads", own, "--methods")));
        assertThat(refused.waitFor()).isNotZero();
        assertThat(Files.readString(folder.resolve("err")))
                .contains("--methods needs a HotSpot JVM; whether process " + own);
    }

    /** Its threads have other numbers for themselves than for whoever watches. */
    @Test
    void seesStatesMethodsAndLanesOfAJvmInANamespace() throws Exception {
        Path config = folder.resolve("proxy.yaml");
        Files.writeString(config, """
                listeners: [{name: udp, address: 127.0.0.1, port: 0}]
                lanes: 1
                open: true
                control: {socket: %s}
                """.formatted(folder.resolve("control")));
        Process process =
                start(command(IN_A_NAMESPACE, offhook("proxy", "--no-rehearsal", "--config", config.toString())));
        try (BufferedReader out = process.inputReader()) {
            String line = "";
            while (!line.startsWith("listening on")) {
                line = out.readLine();
                assertThat(line).as(Files.readString(folder.resolve("err"))).isNotNull();
            }
            String pid =
                    Long.toString(process.children().findFirst().orElseThrow().pid());
            seesStates(watched(pid), "sip-lane-0");
            try (LaneBoard probe = LaneBoard.open("probe", null)) {
                assumeTrue(probe != null, "needs a folder in memory");
            }
            Map<String, Object> watched = watched(pid);
            Map<String, Object> lane = Json.objects(watched.get("lanes")).getFirst();
            assertThat(lane.get("nativeId"))
                    .isEqualTo(requireNonNull(byName(watched).get("sip-lane-0")).get("nativeId"));
            assertThat(lane.get("processor")).isNotNull();
            Object allocated = null; // until events have arrived, which a busy machine delays
            while (Objects.isNull(allocated)) {
                allocated = byName(watched(pid, "--methods"))
                        .getOrDefault("sip-lane-0", Map.of())
                        .get("allocatedBytesPerSecond");
            }
        } finally {
            // in order: nobody else can judge whether lanes of that namespace are left behind
            process.children().forEach(ProcessHandle::destroy);
            process.waitFor();
        }
    }
}
