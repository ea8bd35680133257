package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What {@code offhook calls} must not load, for a short run is mostly start: each of these costs milliseconds, or makes
 * all that follows slower, and nothing else would tell.
 */
class ColdStartTest {
    @Test
    void makesNoSegmentOfTheHeap() throws Exception {
        // with a second kind of segment HotSpot's first compiler no longer knows whose methods it calls: a quarter
        // slower
        assertThat(loaded())
                .isNotEmpty()
                .noneMatch(name -> name.startsWith("jdk.internal.foreign.HeapMemorySegmentImpl"));
    }

    @Test
    void makesNothingThatGeneratesClasses() throws Exception {
        // the equals and hashCode of records, switches over types, copies from segments into arrays
        assertThat(loaded()).doesNotContain("java.lang.runtime.ObjectMethods", "java.lang.runtime.SwitchBootstraps");
    }

    /** What is for output of single packets, and what is for protocols of a program's own. */
    @Test
    void loadsNoDescriptorOfAProtocol() throws Exception {
        assertThat(loaded())
                .noneMatch(name -> name.endsWith("$Descriptor"))
                .noneMatch(name -> name.startsWith("io.offhook.packet.fields."))
                .doesNotContain(
                        "io.offhook.packet.Protocol",
                        "io.offhook.packet.HeaderLayout",
                        "io.offhook.packet.LayerCursor",
                        "io.offhook.packet.walk.Protocols",
                        "io.offhook.packet.walk.RegisteredLayers");
    }

    @Test
    void loadsNothingOfFiltersWithoutOne() throws Exception {
        assertThat(loaded()).noneMatch(name -> name.startsWith("io.offhook.filter."));
    }

    @Test
    void loadsNothingOfAudio() throws Exception {
        assertThat(loaded())
                .noneMatch(name -> name.startsWith("io.offhook.audio."))
                .noneMatch(name -> name.startsWith("io.offhook.cli.audio."))
                .noneMatch(name -> name.contains(".concentus."));
    }

    @Test
    void loadsNothingOfKeysWithoutOne() throws Exception {
        assertThat(loaded())
                .noneMatch(name -> name.startsWith("io.offhook.decrypt."))
                .noneMatch(name -> name.startsWith("javax.crypto."));
    }

    @Test
    void loadsNothingOfTheDatabaseWithoutOne() throws Exception {
        assertThat(loaded()).noneMatch(name -> name.startsWith("io.offhook.store.") || name.startsWith("org.duckdb."));
    }

    @Test
    void loadsNothingOfTheScreens() throws Exception {
        assertThat(loaded())
                .noneMatch(name -> name.startsWith("org.jline."))
                .noneMatch(name -> name.startsWith("io.offhook.cli.screen."));
    }

    /** Bytecode of the filter is one class; compiling the expression makes none. */
    @Test
    void aFilterMakesNoClassesBesideItsOwn() throws Exception {
        assertThat(loaded("--filter", "udp and (udp[4:2] > 8 or port 5060 or not host 192.0.2.1) and less 9000"))
                .anyMatch(name -> name.startsWith("io.offhook.filter.CompiledFilter"))
                .doesNotContain("java.lang.runtime.ObjectMethods", "java.lang.runtime.SwitchBootstraps")
                .noneMatch(name -> name.startsWith("jdk.internal.foreign.HeapMemorySegmentImpl"));
    }

    /** The names of all classes that a run over the samples loads. */
    private static Set<String> loaded(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load=info:stdout:none",
                "-cp",
                System.getProperty("java.class.path"),
                "io.offhook.cli.Main",
                "calls",
                "--lanes",
                "2",
                "../../samples/calls.pcap",
                "../../samples/lossy.pcap"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("OFFHOOK_TTY", "");
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains(" calls: ");
        return said.lines()
                .filter(line -> line.contains(" source: "))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }
}
