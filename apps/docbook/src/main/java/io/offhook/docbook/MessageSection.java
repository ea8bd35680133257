package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import io.offhook.docbook.Columns.Column;
import io.offhook.docbook.SourceComments.Comments;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section of a message, with its nested types and extensions as sections in it. */
final class MessageSection {
    private final Page page;
    private final BookXml xml;
    private final SourceComments comments;

    MessageSection(Page page, SourceComments comments) {
        this.page = page;
        this.xml = page.xml();
        this.comments = comments;
    }

    void write(Descriptor message) {
        xml.block("section", "xml:id", message.getFullName());
        xml.textLine("title", "Message " + nestedName(message));
        page.comments(comments.of(message));
        page.deprecation(message.getOptions().getDeprecated());
        if (message.getFields().isEmpty()) {
            xml.textLine("para", "It has no fields.");
        } else {
            fields(message);
        }
        ranges(message);
        new ExtensionSection(page, comments).write(message.getExtensions());
        for (Descriptor nested : message.getNestedTypes()) {
            if (!nested.getOptions().getMapEntry()) {
                write(nested);
            }
        }
        message.getEnumTypes().forEach(type -> new EnumSection(page, comments).write(type));
        xml.end();
    }

    /** The name with those of the messages around it, and without the package. */
    static String nestedName(Descriptor message) {
        String home = message.getFile().getPackage();
        return FieldRow.shortName(message.getFullName(), home, home);
    }

    private void fields(Descriptor message) {
        Columns columns = new Columns(
                page,
                new Column("No.", "0.6*"),
                new Column("Name", "2.2*"),
                new Column("Type", "2.2*"),
                new Column("Label", "1.2*"),
                new Column("Description", "5*"));
        @Nullable OneofDescriptor last = null;
        for (FieldDescriptor field : message.getFields()) {
            OneofDescriptor oneof = field.getRealContainingOneof();
            if (oneof != null && !oneof.equals(last)) {
                oneof(columns, oneof);
            }
            last = oneof;
            field(columns, field);
        }
        columns.end();
    }

    private void oneof(Columns columns, OneofDescriptor oneof) {
        Comments own = comments.of(oneof);
        columns.detached(own);
        columns.across();
        xml.line("para").text("oneof ").inline("literal").text(oneof.getName()).end();
        xml.text(": at most one of its fields is set.").end();
        new CommentWriter(page).write(own);
        xml.end().end();
    }

    private void field(Columns columns, FieldDescriptor field) {
        Comments own = comments.of(field);
        columns.detached(own);
        columns.row(field.getFullName());
        FieldRow row = new FieldRow(page, field);
        row.name();
        row.type();
        row.label();
        xml.block("entry");
        new CommentWriter(page).write(own);
        row.rest();
        xml.end().end();
    }

    /** What must not be used, and what others may use. */
    private void ranges(Descriptor message) {
        line("Reserved: ", reserved(message.toProto()));
        line("Numbers of extensions: ", extensions(message.toProto()));
        comments.ofRanges(message).forEach(page::comments);
    }

    /** Numbers and names that must not be used. */
    static List<String> reserved(DescriptorProto proto) {
        List<String> reserved = new ArrayList<>();
        proto.getReservedRangeList().forEach(range -> reserved.add(range(range.getStart(), range.getEnd() - 1)));
        proto.getReservedNameList().forEach(name -> reserved.add('"' + name + '"'));
        return reserved;
    }

    /** Numbers that others may use. */
    static List<String> extensions(DescriptorProto proto) {
        List<String> extensions = new ArrayList<>();
        proto.getExtensionRangeList().forEach(range -> extensions.add(range(range.getStart(), range.getEnd() - 1)));
        return extensions;
    }

    private void line(String what, List<String> values) {
        if (!values.isEmpty()) {
            xml.textLine("para", what + String.join(", ", values) + ".");
        }
    }

    /** The end of a range is written {@code max} if it is the largest number of a field. */
    private static String range(int start, int last) {
        String end = last >= 536_870_911 ? "max" : Integer.toString(last);
        return start == last ? end : start + " to " + end;
    }
}
