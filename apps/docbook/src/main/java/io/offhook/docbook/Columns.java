package io.offhook.docbook;

/** A table of elements, one a row, as wide as the page. */
final class Columns {
    private final Page page;
    private final BookXml xml;
    private final int count;

    /** A column, and how wide it is in relation to the others. */
    record Column(String title, String width) {}

    /** Starts the table. */
    Columns(Page page, Column... columns) {
        this.page = page;
        this.xml = page.xml();
        this.count = columns.length;
        xml.block("informaltable", "frame", "topbot", "colsep", "0");
        xml.block("tgroup", "cols", Integer.toString(count));
        for (int i = 0; i < count; i++) {
            xml.empty("colspec", "colname", "c" + (i + 1), "colwidth", columns[i].width());
        }
        xml.block("thead").block("row");
        for (Column column : columns) {
            xml.textLine("entry", column.title());
        }
        xml.end().end().block("tbody");
    }

    /** Starts the row of the element with this id. */
    BookXml row(String id) {
        return xml.block("row", "xml:id", id);
    }

    /** Writes detached comments into rows of their own, across all columns: there they structure a long list. */
    void detached(SourceComments.Comments comments) {
        if (page.showsDetached() && !comments.detached().isEmpty()) {
            across();
            new CommentWriter(page).writeDetached(comments);
            xml.end().end();
        }
    }

    /** Starts a row with one entry across all columns; both are to be ended. */
    void across() {
        xml.block("row").block("entry", "namest", "c1", "nameend", "c" + count);
    }

    /** Ends the table. */
    void end() {
        xml.end().end().end();
    }
}
