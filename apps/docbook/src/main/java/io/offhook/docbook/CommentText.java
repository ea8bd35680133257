package io.offhook.docbook;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a comment as blocks: paragraphs, lists and code. These are the forms in which comments of .proto files are
 * written; emphasis and tables of Markdown and tags of HTML stay as they are (docs/decisions/0046).
 */
final class CommentText {
    /** Lists in lists, at most; what is deeper is text. */
    private static final int DEEPEST = 8;
    /** Columns by which code is indented. */
    private static final int CODE_INDENT = 4;

    private static final Pattern ITEM = Pattern.compile("( {0,7})([-*+\\u2022]|\\d{1,3}[.)])( {1,4})(\\S.*)");
    private static final Pattern FENCE = Pattern.compile(" {0,3}(```+|~~~+).*");
    private static final Pattern HEADING = Pattern.compile(" {0,3}#{1,6} +(.*?)[ #]*");
    /** A line that separates. */
    private static final Pattern RULE = Pattern.compile("\\s*([-=*#/_~+])\\1{2,}\\s*");

    private final List<String> lines;
    private final int depth;
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> paragraph = new ArrayList<>();
    private int at;

    /** A part of a comment. */
    sealed interface Block {}

    /** @param text in one line */
    record Paragraph(String text) implements Block {}

    /** @param text in one line */
    record Heading(String text) implements Block {}

    /** @param text its lines as they are */
    record Code(String text) implements Block {}

    /**
     * @param isOrdered whether its items have numbers
     * @param items what each consists of
     */
    record ItemList(boolean isOrdered, List<List<Block>> items) implements Block {}

    private CommentText(List<String> lines, int depth) {
        this.lines = lines;
        this.depth = depth;
    }

    /** Returns the blocks of a comment from which protoc has removed the marks of comments. */
    static List<Block> blocks(String comment) {
        return new CommentText(lines(comment), 0).parse();
    }

    /** Without what doc comments have at the beginning of lines, and without the indentation that all lines share. */
    private static List<String> lines(String comment) {
        List<String> lines = new ArrayList<>();
        for (String line : (comment.startsWith("*") ? comment.substring(1) : comment).split("\r\n|\r|\n", -1)) {
            lines.add(untabbed(line.stripTrailing()));
        }
        boolean hasSlashes = lines.stream().allMatch(line -> line.isEmpty() || line.startsWith("/"))
                && lines.stream().anyMatch(line -> line.startsWith("/"));
        if (hasSlashes) {
            lines.replaceAll(line -> line.isEmpty() ? line : line.substring(1));
        }
        int first = 0;
        // the first line of a block comment follows its mark, and says nothing about the others
        if (comment.startsWith("*") && lines.size() > 1) {
            lines.set(0, lines.getFirst().strip());
            first = 1;
        }
        int indent = sharedIndent(lines.subList(first, lines.size()));
        for (int i = first; i < lines.size(); i++) {
            lines.set(i, lines.get(i).substring(Math.min(indent, lines.get(i).length())));
        }
        return lines;
    }

    /** Tabs lead to columns of eight. */
    private static String untabbed(String line) {
        if (line.indexOf('\t') < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            text.append(c == '\t' ? " ".repeat(8 - text.length() % 8) : String.valueOf(c));
        }
        return text.toString();
    }

    private static int sharedIndent(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(CommentText::indent)
                .min()
                .orElse(0);
    }

    private static int indent(String line) {
        int indent = 0;
        while (indent < line.length() && line.charAt(indent) == ' ') {
            indent++;
        }
        return indent;
    }

    private List<Block> parse() {
        while (at < lines.size()) {
            String line = lines.get(at);
            if (line.isBlank() || RULE.matcher(line).matches()) {
                endParagraph();
                at++;
            } else if (FENCE.matcher(line).matches()) {
                endParagraph();
                fenced();
            } else if (isItem(line)) {
                endParagraph();
                list();
            } else if (paragraph.isEmpty() && indent(line) >= CODE_INDENT) {
                indented();
            } else if (isRow(line)) {
                endParagraph();
                table();
            } else {
                text(line);
                at++;
            }
        }
        endParagraph();
        return blocks;
    }

    private void text(String line) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches() && !heading.group(1).isEmpty()) {
            endParagraph();
            blocks.add(new Heading(heading.group(1)));
        } else {
            paragraph.add(line.strip());
        }
    }

    private void endParagraph() {
        if (!paragraph.isEmpty()) {
            blocks.add(new Paragraph(String.join(" ", paragraph)));
            paragraph.clear();
        }
    }

    private void fenced() {
        String open = lines.get(at).strip();
        String mark = open.substring(0, 3);
        int indent = indent(lines.get(at));
        List<String> code = new ArrayList<>();
        at++;
        while (at < lines.size() && !lines.get(at).strip().startsWith(mark)) {
            String line = lines.get(at);
            code.add(line.substring(Math.min(indent, indent(line))));
            at++;
        }
        at++;
        addCode(code);
    }

    private void indented() {
        List<String> code = new ArrayList<>();
        while (at < lines.size() && (lines.get(at).isBlank() || indent(lines.get(at)) >= CODE_INDENT)) {
            code.add(lines.get(at));
            at++;
        }
        int indent = sharedIndent(code);
        code.replaceAll(line -> line.substring(Math.min(indent, line.length())));
        addCode(code);
    }

    /** Rows of a table of Markdown stay in their columns. */
    private void table() {
        List<String> rows = new ArrayList<>();
        while (at < lines.size() && isRow(lines.get(at))) {
            rows.add(lines.get(at).strip());
            at++;
        }
        addCode(rows);
    }

    private static boolean isRow(String line) {
        return line.stripLeading().startsWith("|");
    }

    private void addCode(List<String> code) {
        while (!code.isEmpty() && code.getLast().isBlank()) {
            code.removeLast();
        }
        if (!code.isEmpty()) {
            blocks.add(new Code(String.join("\n", code)));
        }
    }

    /** A number continues a sentence rather than starting a list, unless it is 1 or there is no sentence. */
    private boolean isItem(String line) {
        Matcher item = ITEM.matcher(line);
        if (depth >= DEEPEST || !item.matches()) {
            return false;
        }
        return paragraph.isEmpty()
                || !isOrdered(item)
                || item.group(2).startsWith("1") && item.group(2).length() == 2;
    }

    private static boolean isOrdered(Matcher item) {
        return Character.isDigit(item.group(2).charAt(0));
    }

    private void list() {
        Matcher first = ITEM.matcher(lines.get(at));
        boolean isOrdered = first.matches() && isOrdered(first);
        List<List<Block>> items = new ArrayList<>();
        while (at < lines.size()) {
            Matcher item = ITEM.matcher(lines.get(at));
            if (!item.matches() || isOrdered(item) != isOrdered) {
                break;
            }
            items.add(item(item));
            skipBlankBeforeItem(isOrdered);
        }
        blocks.add(new ItemList(isOrdered, items));
    }

    private List<Block> item(Matcher first) {
        int indent = first.start(4);
        List<String> content = new ArrayList<>(List.of(first.group(4)));
        at++;
        while (at < lines.size()) {
            String line = lines.get(at);
            boolean isIndented = indent(line) > first.group(1).length() + 1;
            boolean isFirstAfterBlank = lines.get(at - 1).isBlank();
            if (!line.isBlank() && !isIndented && (isFirstAfterBlank || startsBlock(line))) {
                break;
            }
            content.add(line.substring(Math.min(indent, indent(line))));
            at++;
        }
        return new CommentText(content, depth + 1).parse();
    }

    private static boolean startsBlock(String line) {
        return ITEM.matcher(line).matches()
                || FENCE.matcher(line).matches()
                || RULE.matcher(line).matches()
                || HEADING.matcher(line).matches();
    }

    /** Empty lines between items belong to the list. */
    private void skipBlankBeforeItem(boolean isOrdered) {
        int next = at;
        while (next < lines.size() && lines.get(next).isBlank()) {
            next++;
        }
        if (next < lines.size()) {
            Matcher item = ITEM.matcher(lines.get(next));
            if (item.matches() && isOrdered(item) == isOrdered) {
                at = next;
            }
        }
    }
}
