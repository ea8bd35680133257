package io.offhook.cli;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.offhook.library.Checkout;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/ARCHITECTURE.md says of modules, and what this project does without, held against the code. */
class ArchitectureTest {
    private static final String DOCUMENT = "docs/ARCHITECTURE.md";

    /** Never a production dependency; not in the table. */
    private static final Set<String> LAB = Set.of("testkit", "bench", "research", "examples");

    private static final int MOST_PARAMETERS = 7;
    private static final int MOST_OF_A_REPORT = 17;

    private static final JavaClasses PRODUCT = readClasses();

    private static JavaClasses readClasses() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> LAB.stream()
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

    /** A row of the table: where a module lives, and what it requires. */
    private record Row(String folder, Set<String> requires) {}

    /** Rows "| `folder/` | `name` | text | `a`, `b` |"; the folder is left out where it is that of the row before. */
    private static Map<String, Row> table() throws IOException {
        Map<String, Row> modules = new LinkedHashMap<>();
        String folder = "";
        Matcher row = Pattern.compile("(?m)^\\|(?: `(\\w+)/`)? \\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|\\s*$")
                .matcher(Files.readString(Checkout.ROOT.resolve(DOCUMENT)));
        while (row.find()) {
            folder = row.group(1) == null ? folder : row.group(1);
            modules.put(row.group(2), new Row(folder, names("`(\\w+)`", row.group(3))));
        }
        assertThat(modules).as("the table of modules in " + DOCUMENT).containsKeys("packet", "cli");
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
        for (Map.Entry<String, Row> module : table().entrySet()) {
            String path = module.getValue().folder() + "/" + module.getKey();
            String info = Files.readString(Checkout.descriptor(Checkout.ROOT.resolve(path)));
            assertThat(info).contains("module io.offhook." + module.getKey() + " {");
            assertThat(names("requires [a-z ]*io\\.offhook\\.(\\w+);", info))
                    .as(path + "/src/main/java/module-info.java against " + DOCUMENT)
                    .isEqualTo(module.getValue().requires());
        }
    }

    @Test
    void everyModuleOfTheProductIsInTheTable() throws IOException {
        assertThat(table().entrySet())
                .extracting(module -> module.getValue().folder() + "/" + module.getKey())
                .containsExactlyInAnyOrderElementsOf(Checkout.modules().stream()
                        .map(module -> Checkout.ROOT.relativize(module).toString())
                        .toList());
    }

    @Test
    void arrowsGoOneWay() throws IOException {
        Map<String, Row> modules = table();
        Set<String> done = new TreeSet<>();
        while (done.size() < modules.size()) {
            List<String> next = modules.entrySet().stream()
                    .filter(module -> !done.contains(module.getKey()))
                    .filter(module -> done.containsAll(module.getValue().requires()))
                    .map(Map.Entry::getKey)
                    .toList();
            assertThat(next)
                    .as("a cycle, or a module that is not listed, beyond " + done)
                    .isNotEmpty();
            done.addAll(next);
        }
    }

    /** A package is a room: what is larger has several in it (docs/decisions/0020). */
    @Test
    void noPackageHasMoreThanSixtyFiles() throws IOException {
        Map<Path, Long> files;
        try (Stream<Path> all = Files.walk(Checkout.ROOT, 20)) {
            files = all.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains("/src/main/java/"))
                    .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        }
        assertThat(files).hasSizeGreaterThan(60);
        files.values().removeIf(count -> count <= 60);
        assertThat(files).isEmpty();
    }

    @Test
    void packagesAreThoseOfTheirModule() throws IOException {
        for (Map.Entry<String, Row> module : table().entrySet()) {
            Path sources = Checkout.ROOT.resolve(module.getValue().folder() + "/" + module.getKey() + "/src/main/java");
            Path home = sources.resolve("io/offhook/" + module.getKey());
            try (Stream<Path> all = Files.walk(sources)) {
                assertThat(all.filter(file -> file.toString().endsWith(".java"))
                                .filter(file ->
                                        !file.startsWith(home) && !file.equals(sources.resolve("module-info.java"))))
                        .isEmpty();
            }
        }
    }

    /** Packages within a module, too: each can be understood without those that use it. */
    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.offhook.(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    /** What frames carry is found out in one place, `analysis`; the command has options, files and output. */
    @Test
    void theCommandDecodesNothingItself() {
        noClasses()
                .that()
                .resideInAPackage("io.offhook.cli..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.offhook\\.(flow\\.fragment\\.Fragment(Table|Trace)|flow\\.tcp\\.TcpStreams"
                        + "|sip\\.SipRecognizer)")
                .check(PRODUCT);
    }

    /** Addresses, descriptors and system calls stay where capture backends and sockets are written. */
    @Test
    void onlyCaptureForwardingAndTransportUseRawNativeAccess() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.offhook.linux..",
                        "io.offhook.live..",
                        "io.offhook.dpdk..",
                        "io.offhook.forward..",
                        "io.offhook.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.offhook.linux.raw..")
                .check(PRODUCT);
    }

    /** What every module may see; what is exported to named modules only is not for users. */
    private static Set<String> exportedPackages() throws IOException {
        Set<String> packages = new TreeSet<>();
        for (Path module : Checkout.modules()) {
            packages.addAll(names("exports ([a-z.]+);", Files.readString(Checkout.descriptor(module))));
        }
        assertThat(packages).contains("io.offhook.packet", "io.offhook.flow.tcp");
        return packages;
    }

    /** The public types of those packages, nested ones too. */
    private static List<JavaClass> exportedTypes() throws IOException {
        Set<String> packages = exportedPackages();
        return PRODUCT.stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .filter(ArchitectureTest::isPublic)
                .toList();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    /** The third name of io.offhook.flow.tcp.TcpStreams: flow. */
    private static String module(JavaClass type) {
        return type.getPackageName().split("\\.", -1)[2];
    }

    /**
     * What a user calls has seven parameters at most, constructors too; what takes more gets a record or a cursor. A
     * record counts where a user would fill it in: where another module makes one, or an exported method of its own module
     * takes one; those of other modules are given what the own one made. What only its own module makes and others read by
     * name is a report: it may have {@link #MOST_OF_A_REPORT} components.
     */
    @Test
    void nothingExportedTakesMoreThanSevenParameters() throws IOException {
        Set<JavaClass> taken = exportedTypes().stream()
                .flatMap(type -> type.getCodeUnits().stream().filter(ArchitectureTest::isForUsers))
                .filter(unit -> !(unit.isConstructor() && unit.getOwner().isRecord()))
                .flatMap(unit -> Stream.concat(
                                unit.getRawParameterTypes().stream(),
                                unit.getParameters().stream()
                                        .flatMap(parameter -> parameter.getType().getAllInvolvedRawTypes().stream()))
                        .filter(type -> isOfOneModule(unit, type)))
                .collect(Collectors.toSet());
        Set<String> found = new TreeSet<>();
        for (JavaClass type : exportedTypes()) {
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                boolean isReport = type.isRecord() && !taken.contains(type) && !isCalledFromOutside(unit);
                int most = unit.isConstructor() && isReport ? MOST_OF_A_REPORT : MOST_PARAMETERS;
                if (isForUsers(unit) && unit.getRawParameterTypes().size() > most) {
                    found.add(type.getSimpleName() + "." + (unit.isConstructor() ? "new" : unit.getName()));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static boolean isOfOneModule(JavaCodeUnit unit, JavaClass type) {
        return type.getPackageName().startsWith("io.offhook.") && module(type).equals(module(unit.getOwner()));
    }

    private static boolean isForUsers(JavaCodeUnit unit) {
        Set<JavaModifier> modifiers = unit.getModifiers();
        return !modifiers.contains(JavaModifier.SYNTHETIC)
                && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
    }

    private static boolean isCalledFromOutside(JavaCodeUnit unit) {
        String home = module(unit.getOwner());
        return unit.getCallsOfSelf().stream()
                .anyMatch(call -> !module(call.getOriginOwner()).equals(home));
    }

    /** Who imports a type by its name gets the one that was meant; nested types have the name of their home before theirs. */
    @Test
    void noTwoExportedTypesHaveTheSameName() throws IOException {
        Map<String, List<String>> byName = exportedTypes().stream()
                .filter(type -> type.getEnclosingClass().isEmpty())
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        byName.values().removeIf(types -> types.size() == 1);
        assertThat(byName).isEmpty();
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
                .orShould()
                // it makes one of its result, to copy into
                .callMethodWhere(target(name("toArray")).and(target(owner(type(MemorySegment.class)))))
                .check(PRODUCT);
    }

    @Test
    void onlyTheCommandTalksToTheProcess() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.offhook.cli..")
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
                .resideOutsideOfPackage("io.offhook.linux..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideOutsideOfPackage("io.offhook.linux..")
                .should()
                .callMethod(java.lang.foreign.MemorySegment.class, "reinterpret", long.class)
                .orShould()
                .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                        com.tngtech.archunit.core.domain.properties.HasName.Predicates.name("loadLibrary")))
                .check(PRODUCT);
    }

    /** The server's library logs by the JDK; {@code CallServer} only says how much. */
    @Test
    void thereIsNoLoggingFramework() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.offhook.web.CallServer")
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
