package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Locale;

/** What fields and extensions have in common: type, label, and what follows their comments. */
final class FieldRow {
    private final Page page;
    private final BookXml xml;
    private final FieldDescriptor field;

    FieldRow(Page page, FieldDescriptor field) {
        this.page = page;
        this.xml = page.xml();
        this.field = field;
    }

    /** Writes number and name, as the first two entries. */
    void name() {
        xml.textLine("entry", Integer.toString(field.getNumber()));
        xml.line("entry").inline("literal").text(field.getName()).end();
        xml.end();
    }

    /** Writes the entry of the type: what it refers to is a link. */
    void type() {
        xml.line("entry");
        if (field.isMapField()) {
            xml.text("map<");
            type(field.getMessageType().getFields().get(0));
            xml.text(", ");
            type(field.getMessageType().getFields().get(1));
            xml.text(">");
        } else {
            if (field.toProto().getType() == FieldDescriptorProto.Type.TYPE_GROUP) {
                xml.text("group ");
            }
            type(field);
        }
        xml.end();
    }

    private void type(FieldDescriptor of) {
        switch (of.getJavaType()) {
            case MESSAGE ->
                named(
                        of.getMessageType().getFullName(),
                        of.getMessageType().getFile().getPackage());
            case ENUM ->
                named(of.getEnumType().getFullName(), of.getEnumType().getFile().getPackage());
            default -> xml.text(of.getType().name().toLowerCase(Locale.ROOT));
        }
    }

    /** Names of the own package are written without it. */
    private void named(String fullName, String home) {
        page.link(fullName, shortName(fullName, home, field.getFile().getPackage()));
    }

    /** The name of a type of one package as it is written in another. */
    static String shortName(String fullName, String home, String from) {
        return home.equals(from) && !home.isEmpty() ? fullName.substring(home.length() + 1) : fullName;
    }

    /** Writes the entry that says how often the field occurs. */
    void label() {
        xml.textLine("entry", label(field));
    }

    /** How often a field occurs. */
    static String label(FieldDescriptor field) {
        String oneof = field.getRealContainingOneof() == null
                ? ""
                : "oneof " + field.getRealContainingOneof().getName();
        if (!oneof.isEmpty()) {
            return oneof;
        }
        if (field.isMapField()) {
            return "map";
        }
        if (field.isRepeated()) {
            return field.isPackable() && !field.isPacked() ? "repeated, not packed" : "repeated";
        }
        if (field.isRequired()) {
            return "required";
        }
        return field.hasPresence() ? "optional" : "implicit";
    }

    /** Writes what stands behind the comments: default, JSON name, encoding, deprecation. */
    void rest() {
        FieldDescriptorProto proto = field.toProto();
        page.deprecation(field.getOptions().getDeprecated());
        if (field.hasDefaultValue()) {
            fact("Default: ", defaultText(proto));
        }
        if (field.isExtension()) {
            fact("JSON name: ", "[" + field.getFullName() + "]");
        } else if (!field.getJsonName().equals(field.getName())) {
            fact("JSON name: ", field.getJsonName());
        }
        if (field.getType() == FieldDescriptor.Type.GROUP && proto.getType() != FieldDescriptorProto.Type.TYPE_GROUP) {
            xml.textLine("para", "Encoded as a group (delimited).");
        }
    }

    private void fact(String what, String value) {
        xml.line("para").text(what).inline("literal").text(value).end();
        xml.end();
    }

    /** As in the file, but that protoc has removed the quotes; those of bytes are escaped already. */
    static String defaultText(FieldDescriptorProto proto) {
        return switch (proto.getType()) {
            case TYPE_STRING ->
                '"'
                        + proto.getDefaultValue()
                                .replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("\n", "\\n")
                        + '"';
            case TYPE_BYTES -> '"' + proto.getDefaultValue() + '"';
            default -> proto.getDefaultValue();
        };
    }
}
