package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.command.Version;
import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The launcher uses the class path (docs/decisions/0003); whoever prefers the module path can have that. */
class ModulePathTest {
    /** Jars with files for browsers, without a class. */
    private static final Set<String> PAGE =
            Set.of("lit", "lit.html", "lit.element", "lit.reactive.element", "chart.js", "kurkle.color");

    /** What the command needs of the class path of this test, found by descriptors alone. */
    private static final Set<ResolvedModule> MODULES = resolve();

    private static Set<ResolvedModule> resolve() {
        Path[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toArray(Path[]::new);
        return Configuration.resolve(
                        ModuleFinder.of(classPath),
                        List.of(ModuleLayer.boot().configuration()),
                        ModuleFinder.of(),
                        Set.of("io.offhook.cli"))
                .modules()
                .stream()
                // one module without a descriptor brings all others of the test's class path with it
                .filter(module -> !module.name().equals("com.tngtech.archunit"))
                .collect(Collectors.toSet());
    }

    @Test
    void allModulesResolve() {
        assertThat(MODULES)
                .extracting(ResolvedModule::name)
                // the server's library has many, and the page's libraries are files for browsers
                .filteredOn(name -> !name.startsWith("io.helidon") && !PAGE.contains(name))
                .containsExactlyInAnyOrder(
                        "io.offhook.cli",
                        "io.offhook.analysis",
                        "io.offhook.audio",
                        "concentus",
                        "io.offhook.collector",
                        "io.offhook.decrypt",
                        "io.offhook.metrics",
                        "io.offhook.monitor",
                        "io.offhook.store",
                        "duckdb.jdbc",
                        "io.offhook.web",
                        "password4j",
                        "jakarta.activation",
                        "jakarta.mail",
                        "io.offhook.calls",
                        "io.offhook.sip",
                        "io.offhook.rtp",
                        "io.offhook.flow",
                        "io.offhook.pcap",
                        "io.offhook.live",
                        "io.offhook.dpdk",
                        "io.offhook.forward",
                        "io.offhook.proxy",
                        "io.offhook.transport",
                        "io.offhook.hep",
                        "io.offhook.report",
                        "org.jline.terminal",
                        "org.jline.nativ",
                        "org.dnsjava",
                        "org.slf4j",
                        "HdrHistogram",
                        "org.postgresql.jdbc",
                        "io.offhook.config",
                        "org.snakeyaml.engine",
                        "io.offhook.doctor",
                        "io.offhook.linux",
                        "io.offhook.filter",
                        "io.offhook.packet",
                        "tools.jackson.core",
                        "com.github.luben.zstd_jni");
    }

    /** They are libraries without a descriptor of their own; nothing of ours may lack one. */
    @Test
    void onlyLibrariesOfOthersAreAutomatic() {
        assertThat(MODULES)
                .extracting(ResolvedModule::reference)
                .extracting(ModuleReference::descriptor)
                .filteredOn(descriptor -> descriptor.isAutomatic() && !PAGE.contains(descriptor.name()))
                .extracting(descriptor -> descriptor.name())
                .containsExactlyInAnyOrder(
                        "HdrHistogram", "duckdb.jdbc", "org.postgresql.jdbc", "concentus", "password4j");
    }

    @Test
    void javaFindsNothingWrongWithTheModules() throws Exception {
        // it speaks of those that shadow others or share packages with them
        assertThat(java("--validate-modules")).isEmpty();
    }

    @Test
    void theCommandRunsFromTheModulePath() throws Exception {
        String capture = Path.of("../../samples/calls.pcap").toString();
        assertThat(java("-m", "io.offhook.cli/io.offhook.cli.Main", "--version"))
                .isEqualTo(Version.text() + "\n");
        assertThat(java("-m", "io.offhook.cli/io.offhook.cli.Main", "calls", "--format", "csv", capture)
                        .lines())
                .hasSizeGreaterThan(10);
    }

    /** What java says with the modules, and only those, on its module path; it must end well. */
    private static String java(String... words) throws Exception {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("--module-path");
        line.add(MODULES.stream()
                .map(module ->
                        Path.of(module.reference().location().orElseThrow()).toString())
                .collect(Collectors.joining(File.pathSeparator)));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        // java tells of options that it finds there
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
