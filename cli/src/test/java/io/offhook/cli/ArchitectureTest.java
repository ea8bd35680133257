package io.offhook.cli;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/ARCHITECTURE.md says of modules, and what this project does without, held against the code. */
class ArchitectureTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Never a production dependency; not in the table. */
    private static final Set<String> NOT_PRODUCT = Set.of("testkit", "bench", "examples");

    private static final JavaClasses PRODUCT = readClasses();

    private static JavaClasses readClasses() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> NOT_PRODUCT.stream()
                        .noneMatch(name -> location.contains("offhook-" + name)
                                || location.contains("/" + name + "/target/classes/")))
                .importPackages("io.offhook");
    }

    @Test
    void allOfTheProductIsLookedAt() {
        assertThat(PRODUCT.size()).isGreaterThan(200);
        assertThat(PRODUCT.contain("io.offhook.packet.FrameBatch")).isTrue();
        assertThat(PRODUCT.contain("io.offhook.analysis.Analysis")).isTrue();
        assertThat(PRODUCT.contain("io.offhook.cli.Main")).isTrue();
    }

    /** Rows "| `name` | text | `a`, `b` |": module to what it requires. */
    private static Map<String, Set<String>> table() throws IOException {
        Map<String, Set<String>> modules = new LinkedHashMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|\\s*$")
                .matcher(Files.readString(ROOT.resolve("docs/ARCHITECTURE.md")));
        while (row.find()) {
            modules.put(row.group(1), names("`(\\w+)`", row.group(2)));
        }
        assertThat(modules).as("the table of modules in docs/ARCHITECTURE.md").containsKeys("packet", "cli");
        return modules;
    }

    private static Set<String> names(String pattern, String text) {
        Set<String> names = new TreeSet<>();
        for (MatchResult match :
                Pattern.compile(pattern).matcher(text).results().toList()) {
            names.add(match.group(1));
        }
        return names;
    }

    @Test
    void modulesRequireWhatTheTableSays() throws IOException {
        for (Map.Entry<String, Set<String>> module : table().entrySet()) {
            String info = Files.readString(ROOT.resolve(module.getKey() + "/src/main/java/module-info.java"));
            assertThat(info).contains("module io.offhook." + module.getKey() + " {");
            assertThat(names("requires [a-z ]*io\\.offhook\\.(\\w+);", info))
                    .as(module.getKey() + "/module-info.java against docs/ARCHITECTURE.md")
                    .isEqualTo(module.getValue());
        }
    }

    @Test
    void everyModuleOfTheProductIsInTheTable() throws IOException {
        Set<String> folders = new TreeSet<>();
        try (Stream<Path> paths = Files.list(ROOT)) {
            paths.filter(path -> Files.exists(path.resolve("src/main/java/module-info.java")))
                    .map(path -> path.getFileName().toString())
                    .filter(name -> !NOT_PRODUCT.contains(name))
                    .forEach(folders::add);
        }
        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(folders);
    }

    @Test
    void arrowsGoOneWay() throws IOException {
        Map<String, Set<String>> modules = table();
        Set<String> done = new TreeSet<>();
        while (done.size() < modules.size()) {
            List<String> next = modules.keySet().stream()
                    .filter(name -> !done.contains(name) && done.containsAll(modules.getOrDefault(name, Set.of())))
                    .toList();
            assertThat(next)
                    .as("a cycle, or a module that is not listed, beyond " + done)
                    .isNotEmpty();
            done.addAll(next);
        }
    }

    @Test
    void onePackageAModule() {
        classes()
                .should()
                .resideInAnyPackage(
                        "io.offhook.packet",
                        "io.offhook.filter",
                        "io.offhook.pcap",
                        "io.offhook.flow",
                        "io.offhook.linux",
                        "io.offhook.live",
                        "io.offhook.doctor",
                        "io.offhook.dpdk",
                        "io.offhook.config",
                        "io.offhook.forward",
                        "io.offhook.sip",
                        "io.offhook.rtp",
                        "io.offhook.calls",
                        "io.offhook.analysis",
                        "io.offhook.cli")
                .check(PRODUCT);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.offhook.(*)..").should().beFreeOfCycles().check(PRODUCT);
    }

    @Test
    void namesSayWhatAThingIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .check(PRODUCT);
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..manager..")
                .check(PRODUCT);
    }

    /** Once it has met one, a Java machine reads native memory ten times slower, everywhere (docs/decisions/0010). */
    @Test
    void noSegmentLiesInTheHeap() {
        noClasses()
                .should()
                .callMethodWhere(target(name("ofArray")).and(target(owner(type(MemorySegment.class)))))
                .check(PRODUCT);
    }

    @Test
    void onlyTheCommandTalksToTheProcess() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.offhook.cli")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(PRODUCT);
    }

    @Test
    void nothingReachesUnderTheJavaMachine() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("sun.misc.Unsafe")
                .check(PRODUCT);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jdk.internal..")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.offhook.linux")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.offhook.linux")
                .should()
                .callMethod(java.lang.foreign.MemorySegment.class, "reinterpret", long.class)
                .orShould()
                .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                        com.tngtech.archunit.core.domain.properties.HasName.Predicates.name("loadLibrary")))
                .check(PRODUCT);
    }

    @Test
    void thereIsNoLoggingFramework() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging..")
                .check(PRODUCT);
    }

    @Test
    void fieldsAreNotPublicUnlessConstant() {
        noFields().should().bePublic().andShould().notBeFinal().check(PRODUCT);
    }
}
