package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import io.offhook.docbook.BookOptions.Toc;
import io.offhook.docbook.CommentText.Block;
import io.offhook.docbook.SourceComments.Comments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes one document in Markdown as GitHub reads it: a section for each message, enum and service, with a table in it. */
final class MarkdownWriter {
    private final ProtoFiles files;
    private final BookOptions options;
    private final StringBuilder out = new StringBuilder();
    /** Anchors, of all headings of the document. */
    private final MarkdownLinks links;
    /** Headings so far. */
    private final MarkdownLinks headings = new MarkdownLinks();

    private final MarkdownText text;

    MarkdownWriter(ProtoFiles files, BookOptions options) {
        this(files, options, new MarkdownLinks());
    }

    private MarkdownWriter(ProtoFiles files, BookOptions options, MarkdownLinks links) {
        this.files = files;
        this.options = options;
        this.links = links;
        this.text = new MarkdownText(links);
    }

    /** Returns the document. It is written twice: which anchors there are is known at its end. */
    String document() {
        MarkdownWriter first = new MarkdownWriter(files, options, new MarkdownLinks());
        first.write();
        MarkdownWriter second = new MarkdownWriter(files, options, first.headings);
        second.write();
        return second.out.toString();
    }

    private void write() {
        String sources = files.files().stream().map(FileDescriptor::getName).collect(Collectors.joining(", "));
        headings.heading(options.title(), "");
        line("# " + MarkdownText.escaped(options.title()));
        line("");
        line("<!-- written by protoc-gen-docbook from the comments of " + sources.replace("--", "- -") + " -->");
        if (options.toc() != Toc.NONE && files.files().size() > 1) {
            line("");
            files.files().forEach(file -> line("- " + linked(file.getName(), "file " + file.getName())));
        }
        files.files().forEach(this::file);
    }

    private void line(String line) {
        out.append(line).append('\n');
    }

    private void heading(int level, String heading, String id) {
        headings.heading(heading, id);
        line("");
        line("#".repeat(level) + " " + MarkdownText.escaped(heading));
    }

    private String linked(String shown, String id) {
        String anchor = links.anchor(id);
        return anchor == null ? MarkdownText.escaped(shown) : "[" + MarkdownText.escaped(shown) + "](#" + anchor + ")";
    }

    private void file(FileDescriptor file) {
        SourceComments comments = new SourceComments(file);
        if (files.files().size() > 1) {
            heading(2, file.getName(), "file " + file.getName());
        }
        line("");
        String home = file.getPackage().isEmpty() ? "(none)" : file.getPackage();
        String imports = file.getDependencies().stream()
                .map(imported -> linked(imported.getName(), "file " + imported.getName()))
                .collect(Collectors.joining(", "));
        line("Package `" + home + "`, " + FileChapter.syntax(file.toProto()) + "."
                + (imports.isEmpty() ? "" : " Imports " + imports + "."));
        deprecation(file.getOptions().getDeprecated());
        fileComments(comments.ofFile());
        comments(comments.ofPackage());
        if (options.toc() == Toc.TYPES) {
            contents(file);
        }
        file.getServices().forEach(service -> service(service, comments));
        file.getMessageTypes().forEach(message -> message(message, comments));
        file.getEnumTypes().forEach(type -> enumeration(type, comments));
        extensions("Extensions of " + file.getName(), file.getExtensions(), comments);
    }

    /** Of a file, headings of its comment are those of the document; a licence is quoted. */
    private void fileComments(Comments comments) {
        detached(comments);
        if (FileChapter.isLicense(comments.leading())) {
            out.append(options.showsDetached() ? text.quotation(CommentText.blocks(comments.leading())) : "");
            return;
        }
        for (Block block : MarkdownText.blocks(comments)) {
            if (block instanceof CommentText.Heading heading) {
                heading(3, heading.text(), "");
            } else {
                out.append(text.paragraphs(List.of(block)));
            }
        }
    }

    private void contents(FileDescriptor file) {
        List<String> entries = new ArrayList<>();
        file.getServices().forEach(service -> entries.add(linked(service.getName(), service.getFullName())));
        file.getMessageTypes().forEach(message -> entries.add(linked(message.getName(), message.getFullName())));
        file.getEnumTypes().forEach(type -> entries.add(linked(type.getName(), type.getFullName())));
        if (!entries.isEmpty()) {
            line("");
            line("In this file: " + String.join(", ", entries) + ".");
        }
    }

    private void comments(Comments comments) {
        detached(comments);
        out.append(text.paragraphs(MarkdownText.blocks(comments)));
    }

    private void detached(Comments comments) {
        if (options.showsDetached()) {
            comments.detached().forEach(comment -> out.append(text.quotation(CommentText.blocks(comment))));
        }
    }

    private void deprecation(boolean isDeprecated) {
        if (isDeprecated) {
            line("");
            line("**Deprecated.**");
        }
    }

    private void listed(String what, List<String> values) {
        if (!values.isEmpty()) {
            line("");
            line(what + MarkdownText.escaped(String.join(", ", values)) + ".");
        }
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private void table(String... titles) {
        line("");
        row(titles);
        line("|" + "---|".repeat(titles.length));
    }

    private void message(Descriptor message, SourceComments comments) {
        heading(3, "Message " + MessageSection.nestedName(message), message.getFullName());
        comments(comments.of(message));
        deprecation(message.getOptions().getDeprecated());
        if (message.getFields().isEmpty()) {
            line("");
            line("It has no fields.");
        } else {
            fields(message, comments);
        }
        listed("Reserved: ", MessageSection.reserved(message.toProto()));
        listed("Numbers of extensions: ", MessageSection.extensions(message.toProto()));
        comments.ofRanges(message).forEach(this::comments);
        extensions("Extensions of " + MessageSection.nestedName(message), message.getExtensions(), comments);
        for (Descriptor nested : message.getNestedTypes()) {
            if (!nested.getOptions().getMapEntry()) {
                message(nested, comments);
            }
        }
        message.getEnumTypes().forEach(type -> enumeration(type, comments));
    }

    private void fields(Descriptor message, SourceComments comments) {
        table("No.", "Name", "Type", "Label", "Description");
        @Nullable OneofDescriptor last = null;
        for (FieldDescriptor field : message.getFields()) {
            OneofDescriptor oneof = field.getRealContainingOneof();
            if (oneof != null && !oneof.equals(last)) {
                detachedRow(comments.of(oneof));
                String own = text.cell(MarkdownText.blocks(comments.of(oneof)));
                row(
                        "",
                        "",
                        "",
                        "oneof " + MarkdownText.code(oneof.getName()),
                        ("At most one of its fields is set. " + own).strip());
            }
            last = oneof;
            field(field, comments);
        }
    }

    private void field(FieldDescriptor field, SourceComments comments) {
        detachedRow(comments.of(field));
        row(
                Integer.toString(field.getNumber()),
                MarkdownText.code(field.getName()),
                type(field),
                FieldRow.label(field),
                description(comments.of(field), rest(field)));
    }

    /** Where a comment belongs to no element, it structures the list. */
    private void detachedRow(Comments comments) {
        for (String comment : options.showsDetached() ? comments.detached() : List.<String>of()) {
            row("", "", "", "", text.cell(CommentText.blocks(comment)));
        }
    }

    private String description(Comments comments, List<String> rest) {
        List<String> parts = new ArrayList<>(List.of(text.cell(MarkdownText.blocks(comments))));
        parts.addAll(rest);
        parts.removeIf(String::isEmpty);
        return String.join("<br>", parts);
    }

    private static List<String> rest(FieldDescriptor field) {
        List<String> rest = new ArrayList<>();
        if (field.getOptions().getDeprecated()) {
            rest.add("**Deprecated.**");
        }
        if (field.hasDefaultValue()) {
            rest.add("Default: " + MarkdownText.piped(MarkdownText.code(FieldRow.defaultText(field.toProto()))));
        }
        if (!field.isExtension() && !field.getJsonName().equals(camelCase(field.getName()))) {
            rest.add("JSON name: " + MarkdownText.piped(MarkdownText.code(field.getJsonName())));
        }
        boolean isGroup = field.getType() == FieldDescriptor.Type.GROUP;
        if (isGroup && field.toProto().getType() != FieldDescriptorProto.Type.TYPE_GROUP) {
            rest.add("Encoded as a group (delimited).");
        }
        return rest;
    }

    /** The name in JSON where the file gives none: it need not be said. */
    private static String camelCase(String name) {
        StringBuilder json = new StringBuilder();
        boolean isUpper = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c != '_') {
                json.append(isUpper ? Character.toUpperCase(c) : c);
            }
            isUpper = c == '_';
        }
        return json.toString();
    }

    private String type(FieldDescriptor field) {
        if (field.isMapField()) {
            List<FieldDescriptor> entry = field.getMessageType().getFields();
            return "map&lt;" + type(field, entry.get(0)) + ", " + type(field, entry.get(1)) + "&gt;";
        }
        boolean isGroup = field.toProto().getType() == FieldDescriptorProto.Type.TYPE_GROUP;
        return (isGroup ? "group " : "") + type(field, field);
    }

    private String type(FieldDescriptor in, FieldDescriptor field) {
        String from = in.getFile().getPackage();
        return switch (field.getJavaType()) {
            case MESSAGE -> message(field.getMessageType(), from);
            case ENUM -> {
                EnumDescriptor type = field.getEnumType();
                yield linked(
                        FieldRow.shortName(type.getFullName(), type.getFile().getPackage(), from), type.getFullName());
            }
            default -> field.getType().name().toLowerCase(Locale.ROOT);
        };
    }

    private String message(Descriptor type, String from) {
        String shown = FieldRow.shortName(type.getFullName(), type.getFile().getPackage(), from);
        return linked(shown, type.getFullName());
    }

    private void enumeration(EnumDescriptor type, SourceComments comments) {
        String home = type.getFile().getPackage();
        heading(3, "Enum " + FieldRow.shortName(type.getFullName(), home, home), type.getFullName());
        comments(comments.of(type));
        deprecation(type.getOptions().getDeprecated());
        table("No.", "Name", "Description");
        for (EnumValueDescriptor value : type.getValues()) {
            for (String comment : options.showsDetached() ? comments.of(value).detached() : List.<String>of()) {
                row("", "", text.cell(CommentText.blocks(comment)));
            }
            List<String> rest = value.getOptions().getDeprecated() ? List.of("**Deprecated.**") : List.of();
            row(
                    Integer.toString(value.getNumber()),
                    MarkdownText.code(value.getName()),
                    description(comments.of(value), rest));
        }
        listed("Reserved: ", EnumSection.reservedValues(type.toProto()));
    }

    private void service(ServiceDescriptor service, SourceComments comments) {
        heading(3, "Service " + service.getName(), service.getFullName());
        comments(comments.of(service));
        deprecation(service.getOptions().getDeprecated());
        if (service.getMethods().isEmpty()) {
            line("");
            line("It has no methods.");
            return;
        }
        String from = service.getFile().getPackage();
        table("Name", "Request", "Response", "Description");
        for (MethodDescriptor method : service.getMethods()) {
            for (String comment : options.showsDetached() ? comments.of(method).detached() : List.<String>of()) {
                row("", "", "", text.cell(CommentText.blocks(comment)));
            }
            List<String> rest = method.getOptions().getDeprecated() ? List.of("**Deprecated.**") : List.of();
            row(
                    MarkdownText.code(method.getName()),
                    (method.isClientStreaming() ? "stream " : "") + message(method.getInputType(), from),
                    (method.isServerStreaming() ? "stream " : "") + message(method.getOutputType(), from),
                    description(comments.of(method), rest));
        }
    }

    private void extensions(String title, List<FieldDescriptor> extensions, SourceComments comments) {
        if (extensions.isEmpty()) {
            return;
        }
        heading(3, title, "");
        table("No.", "Name", "Type", "Label", "Extends", "Description");
        for (FieldDescriptor extension : extensions) {
            Comments block = comments.ofExtendBlock(extension);
            String ofBlock = text.cell(MarkdownText.blocks(block));
            if (!ofBlock.isEmpty()) {
                row("", "", "", "", "", ofBlock);
            }
            row(
                    Integer.toString(extension.getNumber()),
                    MarkdownText.code(extension.getName()),
                    type(extension),
                    FieldRow.label(extension),
                    message(extension.getContainingType(), extension.getFile().getPackage()),
                    description(comments.of(extension), rest(extension)));
        }
    }
}
