package io.offhook.library;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What modules export is documented: doclint, with all its groups, finds nothing in what is public or protected, but that
 * a method's first sentence need not be said again in {@code @param}, {@code @return} and {@code @throws}. And the header
 * of a view is drawn, with where that is written.
 */
class JavadocTest {
    /** Left to the first sentence; but for the components of records, each of which is told. */
    private static final Pattern TOLD_IN_THE_SENTENCE =
            Pattern.compile("no @return|no @throws for .*|no @param for [a-z]\\w*");

    /** Who has something to say that is no header: what other views have in common, and what headers add up to. */
    private static final List<String> NO_HEADER = List.of("View", "LayerView", "HeaderView", "CarrierView", "FlowView");

    private static final Pattern SOURCE = Pattern.compile(
            "RFC \\d+|IEEE (Std )?802|draft-[a-z]|3GPP TS \\d|ITU-T|Cisco|LINKTYPE_|whitepaper|radiotap\\.org|TIA|rte_mbuf_core\\.h");

    private static final DiagnosticCollector<JavaFileObject> FINDINGS = new DiagnosticCollector<>();
    private static final Map<String, String> TYPES = new TreeMap<>();
    private static final Map<String, String> PACKAGES = new TreeMap<>();
    private static final List<String> UNTOLD = new ArrayList<>();

    @BeforeAll
    static void readSources() throws IOException {
        check(sources(), FINDINGS, true);
    }

    /** Those of packages that are exported. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path module : Checkout.modules()) {
            for (Path exported : Checkout.exportedPackages(module)) {
                try (Stream<Path> files = Files.list(exported)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static void check(List<Path> sources, DiagnosticCollector<JavaFileObject> findings, boolean isToBeKept)
            throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(findings, Locale.ROOT, null)) {
            JavacTask task = task(compiler, files, findings, files.getJavaFileObjectsFromPaths(sources));
            Iterable<? extends Element> elements = task.analyze();
            if (isToBeKept) {
                DocTrees trees = DocTrees.instance(task);
                elements.forEach(element -> keep(element, trees));
            }
        }
    }

    private static JavacTask task(
            JavaCompiler compiler,
            StandardJavaFileManager files,
            DiagnosticCollector<JavaFileObject> findings,
            Iterable<? extends JavaFileObject> sources) {
        List<String> options = List.of(
                "-proc:none",
                "-Xdoclint:all/protected",
                "-Xmaxwarns",
                "100000",
                "-Xmaxerrs",
                "100000",
                "-cp",
                System.getProperty("java.class.path"));
        return (JavacTask) compiler.getTask(null, files, findings, options, null, sources);
    }

    private static void keep(Element element, DocTrees trees) {
        DocCommentTree comment = trees.getDocCommentTree(element);
        String text = comment == null ? "" : comment.toString();
        if (element instanceof TypeElement type
                && type.getModifiers().contains(Modifier.PUBLIC)
                && type.getNestingKind() == NestingKind.TOP_LEVEL) {
            TYPES.put(type.getSimpleName().toString(), text);
        } else if (element instanceof PackageElement named) {
            PACKAGES.put(named.getQualifiedName().toString(), text);
        }
        if (element instanceof TypeElement type) {
            for (RecordComponentElement component : type.getRecordComponents()) {
                if (isExported(type) && !text.contains("@param " + component.getSimpleName() + " ")) {
                    UNTOLD.add(type.getSimpleName() + "." + component.getSimpleName());
                }
            }
            ElementFilter.typesIn(type.getEnclosedElements()).forEach(inner -> keep(inner, trees));
        }
    }

    /** Whether it and all around it can be seen. */
    private static boolean isExported(@Nullable Element type) {
        if (type == null || type.getKind() == ElementKind.PACKAGE) {
            return true;
        }
        Element around = type.getEnclosingElement();
        boolean isOfInterface = around != null && around.getKind() == ElementKind.INTERFACE;
        return (isOfInterface
                        || type.getModifiers().contains(Modifier.PUBLIC)
                        || type.getModifiers().contains(Modifier.PROTECTED))
                && isExported(around);
    }

    private static List<String> faults(DiagnosticCollector<JavaFileObject> findings) {
        return findings.getDiagnostics().stream()
                .filter(finding -> !TOLD_IN_THE_SENTENCE
                        .matcher(finding.getMessage(Locale.ROOT))
                        .matches())
                .map(JavadocTest::reported)
                .distinct()
                .toList();
    }

    private static String reported(Diagnostic<? extends JavaFileObject> finding) {
        JavaFileObject source = finding.getSource();
        String place = source == null
                ? ""
                : source.getName().replace(Checkout.ROOT + File.separator, "") + ":" + finding.getLineNumber() + ": ";
        return place + finding.getMessage(Locale.ROOT);
    }

    @Test
    void everythingExportedIsDocumented() {
        assertThat(faults(FINDINGS)).isEmpty();
        assertThat(TYPES.keySet()).hasSizeGreaterThan(200).contains("PacketWalker", "CaptureFiles", "Analysis");
        assertThat(UNTOLD).as("components of records").isEmpty();
    }

    /** So that the above can fail. */
    @Test
    void findsWhatIsNotDocumented() throws IOException {
        String source = """
                /** A header. */
                public class Undocumented {
                    /** Made so. */
                    public Undocumented() {}
                    public int field() { return 1; }
                    /** {@link Nothing} & so on. */
                    protected void broken() {}
                    void internal() {}
                }
                """;
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> findings = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(findings, Locale.ROOT, null)) {
            task(compiler, files, findings, List.of(new Text(source))).analyze();
        }
        assertThat(faults(findings))
                .anyMatch(fault -> fault.contains(":5: no comment"))
                .anyMatch(fault -> fault.contains(":6: reference not found"))
                .anyMatch(fault -> fault.contains(":6: bad HTML entity"))
                .noneMatch(fault -> fault.contains(":8:"));
    }

    @Test
    void viewsDrawTheirHeaderAndNameItsSource() {
        List<String> views = TYPES.keySet().stream()
                .filter(name -> name.endsWith("View") && !NO_HEADER.contains(name))
                .toList();
        assertThat(views).hasSizeGreaterThan(70);
        assertThat(views)
                .as("views without a diagram or a grammar of their header")
                .allMatch(name -> TYPES.getOrDefault(name, "").contains("<pre>"));
        assertThat(views)
                .as("views that do not say where their header is specified")
                .allMatch(name -> SOURCE.matcher(TYPES.getOrDefault(name, "")).find());
    }

    @Test
    void packagesNameTheirEntry() {
        assertThat(PACKAGES.keySet()).hasSizeGreaterThan(30);
        PACKAGES.forEach((name, text) -> assertThat(text)
                .as(name)
                .hasSizeGreaterThan(200)
                .contains("{@link io.offhook." + name.substring("io.offhook.".length()) + "."));
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String text) {
            super(URI.create("string:///Undocumented.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
