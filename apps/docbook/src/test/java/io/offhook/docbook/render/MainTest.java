package io.offhook.docbook.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.docbook.Protoc;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir
    Path folder;

    private record Run(int code, String out, String err) {}

    @BeforeAll
    static void beQuiet() {
        System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
    }

    private static Run run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                List.of(words),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private String file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, content);
        return file.toString();
    }

    /** Of a book that includes its chapters. */
    @Test
    void writesOnePageOfHtml() throws Exception {
        Map<String, String> documents =
                Protoc.ofEverything().documents("split=file,toc=files,title=Everything & <more>", Protoc.EVERYTHING);
        for (Map.Entry<String, String> document : documents.entrySet()) {
            file(document.getKey(), document.getValue());
        }
        Path html = folder.resolve("book.html");
        assertThat(run(folder.resolve("book.xml").toString(), "-o", html.toString()))
                .isEqualTo(new Run(0, "", ""));
        String page = Files.readString(html);
        assertThat(page)
                .startsWith("<!DOCTYPE HTML><html")
                .contains("<meta charset=\"UTF-8\">")
                .contains("<title>Everything &amp; &lt;more&gt;</title>")
                .contains("<div class=\"toc\">")
                .contains("<a href=\"#file-all-two.proto\">")
                .contains("id=\"all.two.Everything.first\"")
                .contains("href=\"#all.three.Plain\"")
                .contains("id=\"all.three.Plain\"")
                .contains("<code class=\"literal\">code &lt;x&gt;</code>")
                .contains("\uD83D\uDE00")
                .doesNotContain("<link ")
                .doesNotContain("src=");
        assertThat(page.split("<!DOCTYPE", -1)).hasSize(2);
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    /** The fonts have no ideographs, which is said, not passed over. */
    @Test
    void writesPdfWithItsFonts() throws IOException {
        Path pdf = folder.resolve("book.pdf");
        Run run = run("--output=" + pdf, file("book.xml", Protoc.everything()));
        assertThat(run.code()).isZero();
        assertThat(run.err())
                .startsWith("offhook: the fonts lack, and the PDF shows # for: ")
                .contains("\u65E5");
        assertThat(run.err().lines()).hasSize(1);
        String bytes = Files.readString(pdf, StandardCharsets.ISO_8859_1);
        assertThat(bytes)
                .startsWith("%PDF-")
                .contains("+DejaVuSans-Bold")
                .contains("+DejaVuSansMono")
                .contains("/FontFile2")
                .doesNotContain("/Subtype /Type1");
    }

    @Test
    void aDocumentThatIsNotDocBookIsRefused() throws IOException {
        String output = folder.resolve("out.html").toString();
        Run other = run(file("a.xml", "<book/>"), "-o", output);
        assertThat(other.code()).isEqualTo(Main.UNREADABLE);
        assertThat(other.err())
                .contains("the root element book is not of DocBook 5")
                .doesNotContain("\tat ");
        Run broken = run(file("b.xml", "<book xmlns='http://docbook.org/ns/docbook'><title>"), "-o", output);
        assertThat(broken.code()).isEqualTo(Main.UNREADABLE);
        assertThat(broken.err()).contains("b.xml, line 1: ");
        Run missing = run(folder.resolve("none.xml").toString(), "-o", output);
        assertThat(missing.code()).isEqualTo(Main.UNREADABLE);
        assertThat(folder.resolve("out.html")).doesNotExist();
    }

    @Test
    void nothingIsReadFromTheNetwork() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            String address = "http:/" + server.getLocalAddress() + "/chapter.xml";
            String include = "<book xmlns='http://docbook.org/ns/docbook' xmlns:xi='http://www.w3.org/2001/XInclude'"
                    + " version='5.0'><title>x</title><xi:include href='" + address + "'/></book>";
            String entity = "<!DOCTYPE book SYSTEM '" + address + "' [<!ENTITY x SYSTEM '" + address + "'>]>"
                    + "<book xmlns='http://docbook.org/ns/docbook' version='5.0'><title>x&x;</title></book>";
            String output = folder.resolve("out.html").toString();
            Run run = run(file("a.xml", include), "-o", output);
            assertThat(run.code()).isEqualTo(Main.UNREADABLE);
            assertThat(run.err()).contains("chapter.xml");
            DocumentReader.check(Path.of(file("b.xml", entity)));
            assertThat(server.accept()).isNull();
        }
    }

    @Test
    void aWrongCommandLineIsRefused() {
        assertThat(run().err()).contains("one document and one -o are needed");
        assertThat(run("a.xml").code()).isEqualTo(Main.MISUSE);
        assertThat(run("a.xml", "-o").err()).contains("-o needs a file");
        assertThat(run("a.xml", "--toc", "-o", "x.pdf").err()).contains("there is no option --toc");
        assertThat(run("a.xml", "-o", "x.epub").err()).contains("a name that ends in .html or .pdf is needed");
        assertThat(run("a.xml", "b.xml", "-o", "x.pdf").code()).isEqualTo(Main.MISUSE);
        assertThat(run("--help").out()).startsWith("Usage: offhook docbook FILE.xml -o OUT.html|OUT.pdf\n");
    }

    @Test
    void anOutputThatCannotBeWrittenIsReported() throws IOException {
        Run run = run(
                file(
                        "a.xml",
                        "<article xmlns='http://docbook.org/ns/docbook' version='5.0'><title>x</title></article>"),
                "-o",
                folder.resolve("no/such/folder/x.html").toString());
        assertThat(run.code()).isEqualTo(Main.UNWRITABLE);
        assertThat(run.err()).contains("the output cannot be written: ");
    }
}
