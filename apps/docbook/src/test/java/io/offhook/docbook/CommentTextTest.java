package io.offhook.docbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.docbook.CommentText.Block;
import io.offhook.docbook.CommentText.Code;
import io.offhook.docbook.CommentText.Heading;
import io.offhook.docbook.CommentText.ItemList;
import io.offhook.docbook.CommentText.Paragraph;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommentTextTest {
    private static List<Block> blocks(String... lines) {
        return CommentText.blocks(String.join("\n", lines) + "\n");
    }

    private static List<Block> text(String text) {
        return List.of(new Paragraph(text));
    }

    @Test
    void nothingHasNoBlocks() {
        assertThat(CommentText.blocks("")).isEmpty();
        assertThat(blocks("", "   ", "------")).isEmpty();
    }

    @Test
    void emptyLinesAndRulesSeparateParagraphs() {
        assertThat(blocks(" a", " b", "", " c", " =====", " d"))
                .containsExactly(new Paragraph("a b"), new Paragraph("c"), new Paragraph("d"));
    }

    @Test
    void docCommentsLoseTheirMarks() {
        assertThat(CommentText.blocks("* One\n two\n\n   code? no, three\n"))
                .containsExactly(new Paragraph("One two"), new Paragraph("code? no, three"));
        assertThat(blocks("/ one", "/ two", "/", "/ three"))
                .containsExactly(new Paragraph("one two"), new Paragraph("three"));
    }

    @Test
    void linesEndAsOnAnySystem() {
        assertThat(CommentText.blocks(" a\r\n b\r\n\r\n c\r d\n"))
                .containsExactly(new Paragraph("a b"), new Paragraph("c d"));
    }

    @Test
    void codeKeepsItsLines() {
        assertThat(blocks(" a", "", "     x {", "", "       y", "     }", "", " b"))
                .containsExactly(new Paragraph("a"), new Code("x {\n\n  y\n}"), new Paragraph("b"));
        assertThat(blocks("~~~ java", "a", " # b", "~~~", "c"))
                .containsExactly(new Code("a\n # b"), new Paragraph("c"));
        assertThat(blocks("```", "never closed")).containsExactly(new Code("never closed"));
        assertThat(blocks("a", "\tx")).containsExactly(new Paragraph("a x"));
        assertThat(blocks("a", "", "\tx", "\t\ty")).containsExactly(new Paragraph("a"), new Code("x\n        y"));
    }

    @Test
    void tablesKeepTheirColumns() {
        assertThat(blocks("a", "| 1 | 2 |", "|---|---|", "b"))
                .containsExactly(new Paragraph("a"), new Code("| 1 | 2 |\n|---|---|"), new Paragraph("b"));
    }

    @Test
    void listsNest() {
        assertThat(blocks("- a", "  b", "  1. c", "", "- d", "e", "", "f"))
                .containsExactly(
                        new ItemList(
                                false,
                                List.of(
                                        List.of(new Paragraph("a b"), new ItemList(true, List.of(text("c")))),
                                        text("d e"))),
                        new Paragraph("f"));
    }

    @Test
    void listsOfOtherKindsAreOtherLists() {
        assertThat(blocks(" * a", " 1. b", " 2. c"))
                .containsExactly(
                        new ItemList(false, List.of(text("a"))), new ItemList(true, List.of(text("b"), text("c"))));
    }

    @Test
    void aNumberInASentenceIsNoItem() {
        assertThat(blocks("that was in", "2000. Then", "12) too"))
                .containsExactly(new Paragraph("that was in 2000. Then 12) too"));
        assertThat(blocks("steps:", "1. a")).hasSize(2);
        assertThat(blocks("-1 is no item", "*nor this*")).containsExactly(new Paragraph("-1 is no item *nor this*"));
    }

    @Test
    void headingsHaveASpace() {
        assertThat(blocks("## Title ##", "#define x"))
                .containsExactly(new Heading("Title"), new Paragraph("#define x"));
    }

    @Test
    void depthIsLimited() {
        StringBuilder comment = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            comment.append("- ");
        }
        assertThat(CommentText.blocks(comment + "x")).hasSize(1);
        assertThat(CommentText.blocks("-".repeat(100_000))).isEmpty();
    }

    /** What comes in comes out, whatever it is: no text is lost but marks and white space. */
    @Test
    void losesNoWords() {
        Random random = new Random(4711);
        String[] parts = {"\n", "\n\n", " ", "    ", "- ", "1. ", "```", "|", "# ", "word", "x", "*", "\t", "~~~", "/"};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder comment = new StringBuilder();
            int words = 0;
            for (int j = random.nextInt(25); j > 0; j--) {
                String part = parts[random.nextInt(parts.length)];
                comment.append(part);
                words += part.equals("word") ? 1 : 0;
            }
            String found = CommentText.blocks(comment.toString()).toString();
            int kept = found.split("word", -1).length - 1;
            // what stands behind the mark of a fence is the name of a language
            assertThat(kept)
                    .as("%s", comment)
                    .isBetween(
                            comment.toString().contains("```")
                                            || comment.toString().contains("~~~")
                                    ? 0
                                    : words,
                            words);
        }
    }
}
