package io.offhook.docbook;

import io.offhook.docbook.CommentText.Block;
import io.offhook.docbook.SourceComments.Comments;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes comments into a document: blocks, and in their text code between backquotes and links. */
final class CommentWriter {
    /** Text between backquotes or two asterisks, {@code [text][name]}, {@code [text](address)}, {@code [name][]}, an address. */
    static final Pattern INLINE = Pattern.compile("(?<ticks>`{1,2})(?<code>[^`]+)\\k<ticks>"
            + "|\\*\\*(?<bold>[^*\\s](?:[^*]*[^*\\s])?)\\*\\*"
            + "|\\[(?<text>[^\\[\\]]+)\\](?:\\[(?<name>[\\w.]*)\\]|\\(\\s*(?<address>https?://(?:[^\\s()]|\\([^\\s()]*\\))+)\\s*\\))"
            + "|(?<url>https?://[^\\s<>\"'`]*[^\\s<>\"'`.,;:!?)\\]}])");

    private final Page page;
    private final BookXml xml;

    CommentWriter(Page page) {
        this.page = page;
        this.xml = page.xml();
    }

    /** Writes what stands before and behind an element. */
    void write(Comments comments) {
        write(comments.leading());
        write(comments.trailing());
    }

    /** Writes comments that belong to no element, each in a box of its own. */
    void writeDetached(Comments comments) {
        for (String comment : page.showsDetached() ? comments.detached() : List.<String>of()) {
            List<Block> blocks = CommentText.blocks(comment);
            if (!blocks.isEmpty()) {
                xml.block("sidebar", "role", "detached-comment");
                blocks.forEach(this::block);
                xml.end();
            }
        }
    }

    /** Writes a comment as blocks. */
    void write(String comment) {
        CommentText.blocks(comment).forEach(this::block);
    }

    private void block(Block block) {
        switch (block) {
            case CommentText.Paragraph paragraph -> {
                xml.line("para");
                inline(paragraph.text());
                xml.end();
            }
            case CommentText.Heading heading -> {
                xml.line("para").inline("emphasis", "role", "bold");
                inline(heading.text());
                xml.end().end();
            }
            case CommentText.Code code ->
                xml.line("programlisting").text(code.text()).end();
            case CommentText.ItemList list -> {
                xml.block(list.isOrdered() ? "orderedlist" : "itemizedlist", "spacing", "compact");
                for (List<Block> item : list.items()) {
                    xml.block("listitem");
                    item.forEach(this::block);
                    if (item.isEmpty()) {
                        xml.textLine("para", "");
                    }
                    xml.end();
                }
                xml.end();
            }
        }
    }

    private void inline(String text) {
        Matcher found = INLINE.matcher(text);
        int done = 0;
        while (found.find()) {
            xml.text(text.substring(done, found.start()));
            if (found.group("code") != null) {
                xml.inline("literal").text(found.group("code").strip()).end();
            } else if (found.group("bold") != null) {
                xml.inline("emphasis", "role", "bold").text(found.group("bold")).end();
            } else if (found.group("url") != null) {
                web(found.group("url"), found.group("url"));
            } else if (found.group("address") != null) {
                web(found.group("address"), found.group("text"));
            } else {
                reference(found);
            }
            done = found.end();
        }
        xml.text(text.substring(done));
    }

    private void web(String address, String text) {
        xml.inline("link", "xlink:href", BookLinks.uri(address));
        if (text.length() > 2 && text.startsWith("`") && text.endsWith("`")) {
            xml.inline("literal").text(text.substring(1, text.length() - 1)).end();
        } else {
            xml.text(text);
        }
        xml.end();
    }

    /** The form in which comments name elements; where the book does not have it, the words stay as they are. */
    private void reference(Matcher found) {
        String text = found.group("text").replace("`", "");
        String name = found.group("name").isEmpty() ? text : found.group("name");
        if (page.links().document(name) != null) {
            page.link(name, text);
        } else {
            xml.text(found.group());
        }
    }
}
