package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.offhook.docbook.SourceComments.Comments;
import java.util.List;
import java.util.regex.Pattern;

/** The chapter of a file: what its comments say, what it imports, and a section for each thing that it declares. */
final class FileChapter {
    private static final Pattern LICENSE = Pattern.compile("(?i)copyright|licen[sc]e|SPDX-");

    private final Page page;
    private final BookXml xml;
    private final FileDescriptor file;
    private final SourceComments comments;

    FileChapter(Page page, FileDescriptor file) {
        this.page = page;
        this.xml = page.xml();
        this.file = file;
        this.comments = new SourceComments(file);
    }

    /** Writes what is inside of the element {@code chapter}. */
    void write() {
        xml.attribute("xml:id", page.links().id(file));
        Comments header = comments.ofFile();
        title(header);
        xml.line("para")
                .text("Package ")
                .inline("literal")
                .text(file.getPackage().isEmpty() ? "(none)" : file.getPackage())
                .end();
        xml.text(", " + syntax(file.toProto()) + ".").end();
        page.deprecation(file.getOptions().getDeprecated());
        page.comments(new Comments(withoutLicense(header), leading(header), header.trailing()));
        page.comments(comments.ofPackage());
        imports();
        file.getServices().forEach(service -> new ServiceSection(page, comments).write(service));
        file.getMessageTypes().forEach(message -> new MessageSection(page, comments).write(message));
        file.getEnumTypes().forEach(type -> new EnumSection(page, comments).write(type));
        new ExtensionSection(page, comments).write(file.getExtensions());
    }

    /** A licence is a legal notice of the chapter. */
    private void title(Comments header) {
        List<String> notices =
                header.detached().stream().filter(FileChapter::isLicense).toList();
        boolean isLeading = isLicense(header.leading());
        if (!page.showsDetached() || (notices.isEmpty() && !isLeading)) {
            xml.textLine("title", file.getName());
            return;
        }
        xml.block("info").textLine("title", file.getName()).block("legalnotice");
        CommentWriter writer = new CommentWriter(page);
        notices.forEach(writer::write);
        writer.write(isLeading ? header.leading() : "");
        xml.end().end();
    }

    /** Whether a comment is a legal notice. */
    static boolean isLicense(String comment) {
        return LICENSE.matcher(comment).find();
    }

    private static List<String> withoutLicense(Comments header) {
        return header.detached().stream().filter(comment -> !isLicense(comment)).toList();
    }

    private static String leading(Comments header) {
        return isLicense(header.leading()) ? "" : header.leading();
    }

    /** The syntax or edition of a file, as it is said. */
    static String syntax(FileDescriptorProto proto) {
        if (proto.getSyntax().equals("editions")) {
            return "edition " + edition(proto.getEdition());
        }
        return proto.getSyntax().isEmpty() ? "proto2" : proto.getSyntax();
    }

    private static String edition(Edition edition) {
        return edition.name().replace("EDITION_", "");
    }

    private void imports() {
        FileDescriptorProto proto = file.toProto();
        if (proto.getDependencyCount() == 0) {
            return;
        }
        xml.line("para").text("Imports ");
        for (int i = 0; i < proto.getDependencyCount(); i++) {
            FileDescriptor imported = file.getDependencies().get(i);
            xml.text(i == 0 ? "" : ", ");
            page.link(page.links().id(imported), imported.getName());
            xml.text(proto.getPublicDependencyList().contains(i) ? " (public)" : "");
        }
        xml.text(".").end();
    }
}
