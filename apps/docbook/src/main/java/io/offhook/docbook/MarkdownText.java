package io.offhook.docbook;

import io.offhook.docbook.CommentText.Block;
import io.offhook.docbook.SourceComments.Comments;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Comments in Markdown as GitHub reads it. What is no form of comments (decision 46) is escaped, so that it stays as it is. */
final class MarkdownText {
    private static final Pattern ENTITY = Pattern.compile("&[#\\w]+;");

    private final MarkdownLinks links;

    MarkdownText(MarkdownLinks links) {
        this.links = links;
    }

    /** The blocks of an element's comment, what stands before and behind it. */
    static List<Block> blocks(Comments comments) {
        List<Block> blocks = new ArrayList<>(CommentText.blocks(comments.leading()));
        blocks.addAll(CommentText.blocks(comments.trailing()));
        return blocks;
    }

    /** Paragraphs, each behind an empty line; a heading is a line in bold. */
    String paragraphs(List<Block> blocks) {
        return blocks.stream().map(block -> "\n" + block(block, "") + "\n").collect(Collectors.joining());
    }

    /** The same as a quotation, as comments are shown that belong to no element. */
    String quotation(List<Block> blocks) {
        String text = blocks.stream().map(block -> block(block, "")).collect(Collectors.joining("\n\n"));
        return text.isEmpty()
                ? ""
                : "\n" + text.lines().map(line -> ("> " + line).strip()).collect(Collectors.joining("\n")) + "\n";
    }

    private String block(Block block, String indent) {
        return switch (block) {
            case CommentText.Paragraph paragraph -> indent + inline(paragraph.text());
            case CommentText.Heading heading -> indent + "**" + inline(heading.text()) + "**";
            case CommentText.Code code -> {
                String fence = code.text().contains("```") ? "~~~~" : "```";
                String text = (fence + "\n" + code.text() + "\n" + fence).indent(indent.length());
                yield text.substring(0, text.length() - 1);
            }
            case CommentText.ItemList list -> list(list, indent);
        };
    }

    private String list(CommentText.ItemList list, String indent) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < list.items().size(); i++) {
            String mark = list.isOrdered() ? (i + 1) + ". " : "- ";
            String inner = indent + " ".repeat(mark.length());
            String text = list.items().get(i).stream()
                    .map(block -> block(block, inner))
                    .collect(Collectors.joining("\n\n"));
            lines.add(indent + mark + text.substring(Math.min(inner.length(), text.length())));
        }
        return String.join("\n", lines);
    }

    /** All of it in one line, for a cell of a table: breaks, lists and code are tags of HTML there. */
    String cell(List<Block> blocks) {
        StringBuilder cell = new StringBuilder();
        for (Block block : blocks) {
            String text = cell(block);
            boolean isText = block instanceof CommentText.Paragraph || block instanceof CommentText.Heading;
            boolean isBehindText = !cell.isEmpty() && !cell.toString().endsWith(">");
            cell.append(isText && isBehindText ? "<br>" : "").append(text);
        }
        return cell.toString();
    }

    private String cell(Block block) {
        return switch (block) {
            case CommentText.Paragraph paragraph -> piped(inline(paragraph.text()));
            case CommentText.Heading heading -> "**" + piped(inline(heading.text())) + "**";
            case CommentText.Code code ->
                "<pre>" + html(code.text()).replace("\n", "<br>").replace("|", "&#124;") + "</pre>";
            case CommentText.ItemList list -> {
                String tag = list.isOrdered() ? "ol" : "ul";
                yield list.items().stream()
                        .map(item -> "<li>" + cell(item) + "</li>")
                        .collect(Collectors.joining("", "<" + tag + ">", "</" + tag + ">"));
            }
        };
    }

    /** A bar ends a cell, also inside of code. */
    static String piped(String text) {
        return text.replace("|", "\\|");
    }

    private static String html(String text) {
        // within a cell, marks of Markdown count between tags, too
        return escaped(text).replace(">", "&gt;");
    }

    /** Text with code between backquotes, what is bold, and links; in one line. */
    String inline(String text) {
        StringBuilder line = new StringBuilder();
        Matcher found = CommentWriter.INLINE.matcher(text);
        int done = 0;
        while (found.find()) {
            line.append(escaped(text.substring(done, found.start())));
            if (found.group("code") != null) {
                line.append(code(found.group("code").strip()));
            } else if (found.group("bold") != null) {
                line.append("**").append(escaped(found.group("bold"))).append("**");
            } else if (found.group("url") != null) {
                line.append('<').append(BookLinks.uri(found.group("url"))).append('>');
            } else if (found.group("address") != null) {
                line.append(link(found.group("text"), BookLinks.uri(found.group("address"))));
            } else {
                line.append(reference(found));
            }
            done = found.end();
        }
        return line.append(escaped(text.substring(done))).toString();
    }

    static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    private static String link(String text, String target) {
        boolean isCode = text.length() > 2 && text.startsWith("`") && text.endsWith("`");
        return "[" + (isCode ? text : escaped(text)) + "](" + target + ")";
    }

    private String reference(Matcher found) {
        String text = found.group("text");
        String name = found.group("name").isEmpty() ? text.replace("`", "") : found.group("name");
        String anchor = links.anchor(name);
        return anchor == null ? escaped(found.group()) : link(text, "#" + anchor);
    }

    /** Text without any mark. Underscores inside of words are none. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<') {
                escaped.append("&lt;");
            } else if (c == '&' && ENTITY.matcher(text).region(i, text.length()).lookingAt()) {
                escaped.append("&amp;");
            } else {
                boolean isMark = "\\`*[]~".indexOf(c) >= 0 || (c == '_' && !isInWord(text, i));
                escaped.append(isMark ? "\\" : "").append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean isInWord(String text, int at) {
        return at > 0 && at + 1 < text.length() && isOfWord(text.charAt(at - 1)) && isOfWord(text.charAt(at + 1));
    }

    private static boolean isOfWord(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }
}
