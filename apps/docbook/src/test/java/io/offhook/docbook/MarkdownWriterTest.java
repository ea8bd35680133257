package io.offhook.docbook;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a document is kept, {@code -Doffhook.write=true} writes it, to be looked at before it is. */
class MarkdownWriterTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/offhook/docbook/everything.md");
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private static void assertKept(Path file, String document) throws IOException {
        if (Boolean.getBoolean("offhook.write")) {
            Files.writeString(file, document);
        }
        assertThat(document).isEqualTo(Files.readString(file));
        assertWhole(document);
    }

    /** That links have a heading, and tables are whole. */
    private static void assertWhole(String document) {
        List<String> anchors = anchors(document);
        List<String> links = matches("\\]\\(#([^)]*)\\)", document);
        assertThat(links).isNotEmpty();
        assertThat(anchors).containsAll(links);
        int bars = 0;
        for (String line : document.split("\n", -1)) {
            int found = matches("(?<!\\\\)(\\|)", line).size();
            boolean isRow = line.startsWith("|");
            assertThat(isRow ? found : 0).as(line).isEqualTo(isRow && bars > 0 ? bars : isRow ? found : 0);
            bars = isRow ? found : 0;
        }
    }

    private static List<String> matches(String pattern, String text) {
        List<String> found = new ArrayList<>();
        for (MatchResult match :
                Pattern.compile(pattern).matcher(text).results().toList()) {
            found.add(match.group(1));
        }
        return found;
    }

    /** Of headings as GitHub makes them: lower case, without punctuation, hyphens for spaces, numbered where they repeat. */
    private static List<String> anchors(String document) {
        List<String> anchors = new ArrayList<>();
        Map<String, Integer> uses = new HashMap<>();
        for (String heading : matches("(?m)^#+ (.*)$", document)) {
            String anchor = heading.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{Nd} _-]", "")
                    .replace(' ', '-');
            int before = uses.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    @Test
    void describesEverythingThatAFileCanHave() throws Exception {
        Map<String, String> documents =
                Protoc.ofEverything().documents("title=Everything & <more>,markdown=all.md", Protoc.EVERYTHING);
        assertThat(documents).containsOnlyKeys("all.md");
        assertKept(GOLDEN, documents.getOrDefault("all.md", ""));
    }

    /** samples/docbook/README.md has the command. */
    @Test
    void theSampleDocumentIsThatOfTheSampleFiles() throws Exception {
        Path sample = ROOT.resolve("samples/docbook");
        Protoc.extract(Protoc.protobufJar(), folder);
        Map<String, String> documents = new Protoc(sample.resolve("proto"), folder)
                .documents(
                        "title=A small telephone system,markdown=book.md",
                        List.of("telephony/calls.proto", "telephony/media.proto"));
        assertKept(sample.resolve("book.md"), documents.getOrDefault("book.md", ""));
    }

    /** docs/DOCBOOK.md has the command. */
    @Test
    void theDocumentOfEventsIsThatOfTheirSchema() throws Exception {
        Map<String, String> documents = new Protoc(ROOT.resolve("apps/cluster/src/main/proto"))
                .documents("title=Events of probes,markdown=EVENTS.md", List.of("offhook/events/v1/events.proto"));
        assertKept(ROOT.resolve("docs/EVENTS.md"), documents.getOrDefault("EVENTS.md", ""));
    }

    @Test
    void withoutContentsAndDetachedCommentsThereAreNone() throws Exception {
        String all = Protoc.ofEverything()
                .documents("markdown=x.md", Protoc.EVERYTHING)
                .getOrDefault("x.md", "");
        String less = Protoc.ofEverything()
                .documents("markdown=x.md,toc=none,detached=hide", Protoc.EVERYTHING)
                .getOrDefault("x.md", "");
        assertThat(all).contains("In this file: ", "Before a field, apart.", "Licensed to");
        assertThat(less).doesNotContain("In this file: ", "- [all/two.proto]", "Before a field, apart.", "Licensed to");
        assertWhole(less);
    }

    @Test
    void oneDocumentCannotBeSplit() throws Exception {
        CodeGeneratorResponse response =
                ProtocPlugin.respond(Protoc.ofEverything().request("markdown=x.md,split=file", Protoc.EVERYTHING));
        assertThat(response.getError()).contains("markdown= is one document, which split= cannot divide");
        assertThat(response.getFileList()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "a_b and _c_ ! a_b and \\_c\\_",
                "1 * 2 * 3 ! 1 \\* 2 \\* 3",
                "<b> & &amp; ! &lt;b> & &amp;amp;",
                "`a|b` and ``c`` ! `a|b` and `c`",
                "**x_y** [z] ! **x_y** \\[z\\]",
                "[text](https://example.com/a_b) ! [text](https://example.com/a_b)",
                "see https://example.com/x. ! see <https://example.com/x>.",
                "[M][all.none.M] ! \\[M\\]\\[all.none.M\\]",
            })
    void textStaysAsItIs(String comment, String markdown) {
        assertThat(new MarkdownText(new MarkdownLinks()).inline(comment)).isEqualTo(markdown);
    }

    @Test
    void aCellIsOneLineWhateverIsInIt() {
        String comment = "One | two.\n\n    code_ | <x>\n      more\n\n- a\n- b\n\nThree.\n\nFour.\n";
        MarkdownText text = new MarkdownText(new MarkdownLinks());
        assertThat(text.cell(CommentText.blocks(comment)))
                .isEqualTo(
                        "One \\| two.<pre>code\\_ &#124; &lt;x&gt;<br>  more</pre><ul><li>a</li><li>b</li></ul>Three.<br>Four.");
        assertThat(text.paragraphs(CommentText.blocks("One.\n\n1. a\n2. b\n\nTwo.\n")))
                .isEqualTo("\nOne.\n\n1. a\n2. b\n\nTwo.\n");
        assertThat(text.quotation(CommentText.blocks("One.\n\nTwo.\n"))).isEqualTo("\n> One.\n>\n> Two.\n");
    }
}
