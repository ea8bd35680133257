package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import io.offhook.docbook.Columns.Column;
import io.offhook.docbook.SourceComments.Comments;
import java.util.ArrayList;
import java.util.List;

/** The section of an enum. */
final class EnumSection {
    private final Page page;
    private final BookXml xml;
    private final SourceComments comments;

    EnumSection(Page page, SourceComments comments) {
        this.page = page;
        this.xml = page.xml();
        this.comments = comments;
    }

    void write(EnumDescriptor type) {
        String home = type.getFile().getPackage();
        String name = FieldRow.shortName(type.getFullName(), home, home);
        xml.block("section", "xml:id", type.getFullName()).textLine("title", "Enum " + name);
        page.comments(comments.of(type));
        page.deprecation(type.getOptions().getDeprecated());
        Columns columns =
                new Columns(page, new Column("No.", "1*"), new Column("Name", "4*"), new Column("Description", "6*"));
        type.getValues().forEach(value -> value(columns, value));
        columns.end();
        reserved(type.toProto());
        xml.end();
    }

    private void value(Columns columns, EnumValueDescriptor value) {
        Comments own = comments.of(value);
        columns.detached(own);
        columns.row(value.getFullName());
        xml.textLine("entry", Integer.toString(value.getNumber()));
        xml.line("entry").inline("literal").text(value.getName()).end();
        xml.end().block("entry");
        new CommentWriter(page).write(own);
        page.deprecation(value.getOptions().getDeprecated());
        xml.end().end();
    }

    private void reserved(EnumDescriptorProto proto) {
        List<String> reserved = reservedValues(proto);
        if (!reserved.isEmpty()) {
            xml.textLine("para", "Reserved: " + String.join(", ", reserved) + ".");
        }
    }

    /** Numbers and names that must not be used. */
    static List<String> reservedValues(EnumDescriptorProto proto) {
        List<String> reserved = new ArrayList<>();
        for (EnumDescriptorProto.EnumReservedRange range : proto.getReservedRangeList()) {
            String end = range.getEnd() == Integer.MAX_VALUE ? "max" : Integer.toString(range.getEnd());
            reserved.add(range.getStart() == range.getEnd() ? end : range.getStart() + " to " + end);
        }
        proto.getReservedNameList().forEach(name -> reserved.add('"' + name + '"'));
        return reserved;
    }
}
