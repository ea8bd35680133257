package io.offhook.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code of the documentation compiles. */
class DocumentationTest {
    private static final Path LIBRARY = Path.of("../../docs/LIBRARY.md");

    private static final String IMPORTS = """
            import io.offhook.analysis.*;
            import io.offhook.calls.*;
            import io.offhook.calls.event.*;
            import io.offhook.config.*;
            import io.offhook.dpdk.*;
            import io.offhook.filter.*;
            import io.offhook.flow.*;
            import io.offhook.flow.fragment.*;
            import io.offhook.flow.table.*;
            import io.offhook.flow.tcp.*;
            import io.offhook.forward.*;
            import io.offhook.forward.application.*;
            import io.offhook.forward.port.*;
            import io.offhook.forward.stage.*;
            import io.offhook.live.*;
            import io.offhook.live.libpcap.*;
            import io.offhook.live.packetsocket.*;
            import io.offhook.live.replay.*;
            import io.offhook.live.xdp.*;
            import io.offhook.packet.*;
            import io.offhook.packet.application.*;
            import io.offhook.packet.buffer.*;
            import io.offhook.packet.checksum.*;
            import io.offhook.packet.edit.*;
            import io.offhook.packet.fields.*;
            import io.offhook.packet.link.*;
            import io.offhook.packet.network.*;
            import io.offhook.packet.transport.*;
            import io.offhook.packet.tunnel.*;
            import io.offhook.packet.walk.*;
            import io.offhook.packet.write.*;
            import io.offhook.pcap.*;
            import io.offhook.pcap.file.*;
            import io.offhook.rtp.*;
            import io.offhook.sip.*;
            import io.offhook.transport.*;
            import io.offhook.transport.websocket.*;
            import java.lang.foreign.*;
            import java.net.*;
            import java.nio.channels.*;
            import java.nio.file.*;
            import java.util.*;
            """;

    /** What code in the column "Offhook" of the tables may use without saying where it comes from. */
    private static final String GIVEN = """
            PacketSource source, FrameBatch batch, int i, PacketWalker walker, PacketFilter filter, BpfProgram program,
            Ipv4View ipv4View, UdpView udpView, TcpView tcpView, TcpOptions tcpOptions, PacketEditor editor,
            MemorySegment memory, int length, int linkType, Path path, WritableByteChannel channel, PacketSink writer,
            List<String> paths, long mostBytes, CaptureMemory captures,
            FragmentTable fragments, FlowTable flows, Flow flow""";

    /** In the column, but no Java: modules, an option of the kernel, a command. */
    private static final Set<String> NOT_JAVA =
            Set.of("live", "sip", "rtp", "analysis", "SO_ATTACH_FILTER", "tcpdump -d");

    /** Compiles a class, and says what is wrong with it, a line each: the line's number and the message. */
    private static List<String> errors(String name, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> reported = new DiagnosticCollector<>();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        // looked at only: nothing is generated
        List<String> options =
                List.of("-proc:none", "-XDshould-stop.ifNoError=FLOW", "-cp", System.getProperty("java.class.path"));
        compiler.getTask(null, null, reported, options, null, List.of(file)).call();
        return reported.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(diagnostic -> diagnostic.getLineNumber() + " " + diagnostic.getMessage(Locale.ROOT))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../README.md", "../../docs/LIBRARY.md"})
    void blocksOfCodeCompile(String document) throws IOException {
        Matcher blocks = Pattern.compile("(?ms)^```java\n(.*?)^```$").matcher(Files.readString(Path.of(document)));
        int count = 0;
        while (blocks.find()) {
            String source = IMPORTS + "class Block { static void run() throws Exception {\n" + blocks.group(1) + "}}\n";
            assertThat(errors("Block", source)).as(source).isEmpty();
            count++;
        }
        assertThat(count).isPositive();
    }

    @Test
    void whatTablesPutInThePlaceOfOthersCompiles() throws IOException {
        Set<String> code = new TreeSet<>();
        boolean isLibrary = false;
        for (String line : Files.readAllLines(LIBRARY)) {
            String[] cells = line.split(" \\| ", -1);
            isLibrary = line.startsWith("|") && (isLibrary || line.endsWith("| Offhook |"));
            if (isLibrary && cells.length == 2) {
                Matcher spans = Pattern.compile("`([^`]+)`").matcher(cells[1]);
                while (spans.find()) {
                    code.add(spans.group(1));
                }
            }
        }
        code.removeAll(NOT_JAVA);
        assertThat(code).hasSizeGreaterThan(60);
        // what gives no value is a statement
        assertThat(uncompilable(uncompilable(List.copyOf(code), "Object it = %s;"), "%s;"))
                .isEmpty();
    }

    /** Those that do not compile in a form. */
    private static List<String> uncompilable(List<String> code, String form) {
        List<String> wrong = new ArrayList<>();
        List<String> left = new ArrayList<>(code);
        // again without those that are wrong: a compiler that cannot parse something says nothing of the rest
        for (List<Integer> lines = wrongLines(left, form); !lines.isEmpty(); lines = wrongLines(left, form)) {
            List<String> found = lines.stream().map(left::get).toList();
            wrong.addAll(found);
            left.removeAll(found);
        }
        return wrong;
    }

    private static List<Integer> wrongLines(List<String> code, String form) {
        StringBuilder source = new StringBuilder(oneLine(IMPORTS)).append(" class Cells {\n");
        for (int i = 0; i < code.size(); i++) {
            String span = code.get(i);
            String body = span.matches("[A-Z][A-Za-z0-9]+")
                    ? "Class<?> it = " + span + ".class;"
                    : String.format(Locale.ROOT, form, span);
            source.append("void m" + i + "(" + oneLine(GIVEN) + ") throws Exception { " + body + " }\n");
        }
        List<Integer> lines = errors("Cells", source + "}\n").stream()
                .map(error -> Integer.parseInt(error.split(" ", 2)[0]) - 2)
                .distinct()
                .toList();
        assertThat(lines).allMatch(line -> line >= 0 && line < code.size());
        return lines;
    }

    private static String oneLine(String text) {
        return text.replace('\n', ' ');
    }
}
