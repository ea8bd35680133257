package io.offhook.docbook;

import io.offhook.docbook.SourceComments.Comments;

/**
 * A document while it is written.
 *
 * @param xml its elements
 * @param links what the book describes
 * @param document its name
 * @param showsDetached whether comments that belong to no element are in the book
 */
record Page(BookXml xml, BookLinks links, String document, boolean showsDetached) {
    /**
     * Writes text that links to an id, or only the text if the book does not have it. Within a document, validators see
     * that the target exists ({@code linkend}); {@code xlink:href} leads to other documents of the book that includes all.
     */
    void link(String id, String text) {
        String target = links.document(id);
        if (target == null) {
            xml.text(text);
        } else if (target.equals(document)) {
            xml.inline("link", "linkend", id).text(text).end();
        } else {
            xml.inline("link", "xlink:href", "#" + id).text(text).end();
        }
    }

    /** Writes the comments of an element, detached ones first. */
    void comments(Comments comments) {
        CommentWriter writer = new CommentWriter(this);
        writer.writeDetached(comments);
        writer.write(comments);
    }

    /** Writes a line that says that an element is deprecated, if it is. */
    void deprecation(boolean isDeprecated) {
        if (isDeprecated) {
            xml.line("para", "role", "deprecated");
            xml.inline("emphasis", "role", "bold").text("Deprecated.").end();
            xml.end();
        }
    }
}
