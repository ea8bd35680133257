package io.offhook.docbook;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.offhook.docbook.Columns.Column;
import io.offhook.docbook.SourceComments.Comments;
import java.util.List;

/** The section of the extensions that a file or a message declares, with what each extends. */
final class ExtensionSection {
    private final Page page;
    private final BookXml xml;
    private final SourceComments comments;

    ExtensionSection(Page page, SourceComments comments) {
        this.page = page;
        this.xml = page.xml();
        this.comments = comments;
    }

    /** Writes nothing if there are none. */
    void write(List<FieldDescriptor> extensions) {
        if (extensions.isEmpty()) {
            return;
        }
        xml.block("section").textLine("title", "Extensions");
        Columns columns = new Columns(
                page,
                new Column("No.", "0.9*"),
                new Column("Name", "2*"),
                new Column("Type", "2*"),
                new Column("Label", "1.2*"),
                new Column("Extends", "2.2*"),
                new Column("Description", "4*"));
        extensions.forEach(extension -> extension(columns, extension));
        columns.end();
        xml.end();
    }

    private void extension(Columns columns, FieldDescriptor extension) {
        Descriptor extended = extension.getContainingType();
        String home = extended.getFile().getPackage();
        String name = FieldRow.shortName(
                extended.getFullName(), home, extension.getFile().getPackage());
        Comments block = comments.ofExtendBlock(extension);
        columns.detached(block);
        if (!block.isEmpty()) {
            columns.across();
            xml.line("para").text("Extensions of ").inline("literal").text(name).end();
            xml.text(":").end();
            new CommentWriter(page).write(block);
            xml.end().end();
        }
        Comments own = comments.of(extension);
        columns.detached(own);
        columns.row(extension.getFullName());
        FieldRow row = new FieldRow(page, extension);
        row.name();
        row.type();
        row.label();
        xml.line("entry");
        page.link(extended.getFullName(), name);
        xml.end().block("entry");
        new CommentWriter(page).write(own);
        row.rest();
        xml.end().end();
    }
}
