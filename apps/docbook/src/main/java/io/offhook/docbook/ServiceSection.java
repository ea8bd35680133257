package io.offhook.docbook;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.offhook.docbook.Columns.Column;
import io.offhook.docbook.SourceComments.Comments;

/** The section of a service. */
final class ServiceSection {
    private final Page page;
    private final BookXml xml;
    private final SourceComments comments;

    ServiceSection(Page page, SourceComments comments) {
        this.page = page;
        this.xml = page.xml();
        this.comments = comments;
    }

    void write(ServiceDescriptor service) {
        xml.block("section", "xml:id", service.getFullName()).textLine("title", "Service " + service.getName());
        page.comments(comments.of(service));
        page.deprecation(service.getOptions().getDeprecated());
        if (service.getMethods().isEmpty()) {
            xml.textLine("para", "It has no methods.");
        } else {
            methods(service);
        }
        xml.end();
    }

    private void methods(ServiceDescriptor service) {
        Columns columns = new Columns(
                page,
                new Column("Name", "2*"),
                new Column("Request", "2*"),
                new Column("Response", "2*"),
                new Column("Description", "5*"));
        for (MethodDescriptor method : service.getMethods()) {
            Comments own = comments.of(method);
            columns.detached(own);
            columns.row(method.getFullName())
                    .line("entry")
                    .inline("literal")
                    .text(method.getName())
                    .end();
            xml.end();
            message(method, method.getInputType(), method.isClientStreaming());
            message(method, method.getOutputType(), method.isServerStreaming());
            xml.block("entry");
            new CommentWriter(page).write(own);
            page.deprecation(method.getOptions().getDeprecated());
            xml.end().end();
        }
        columns.end();
    }

    private void message(MethodDescriptor method, Descriptor type, boolean isStream) {
        String home = type.getFile().getPackage();
        xml.line("entry").text(isStream ? "stream " : "");
        page.link(
                type.getFullName(),
                FieldRow.shortName(type.getFullName(), home, method.getFile().getPackage()));
        xml.end();
    }
}
