package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The comments of a file. protoc gives each with the path of its element: numbers of fields in descriptor.proto, each
 * followed by an index where the field is repeated; {@code 4 0 2 1} is the second field (2) of the first message (4).
 */
final class SourceComments {
    private static final Comments NONE = new Comments(List.of(), "", "");

    private final Map<List<Integer>, Location> byPath = new HashMap<>();
    /** Of each {@code extend} block, which has the path of the list: extensions are inside its span. */
    private final Map<List<Integer>, List<Location>> extendBlocks = new HashMap<>();

    /**
     * The comments of an element.
     *
     * @param detached those before it that an empty line separates from it
     * @param leading that right before it
     * @param trailing that behind it, in its line or in the next
     */
    record Comments(List<String> detached, String leading, String trailing) {
        /** Whether it says something of the element. */
        boolean isEmpty() {
            return leading.isEmpty() && trailing.isEmpty();
        }
    }

    SourceComments(FileDescriptor file) {
        for (Location location : file.toProto().getSourceCodeInfo().getLocationList()) {
            List<Integer> path = location.getPathList();
            if (isExtendBlock(path)) {
                extendBlocks.computeIfAbsent(path, _ -> new ArrayList<>()).add(location);
            } else {
                byPath.putIfAbsent(path, location);
            }
        }
    }

    private static boolean isExtendBlock(List<Integer> path) {
        int last = path.isEmpty() ? 0 : path.getLast();
        boolean isOfFile = path.size() == 1 && last == FileDescriptorProto.EXTENSION_FIELD_NUMBER;
        return isOfFile || (path.size() % 2 == 1 && path.size() > 1 && last == DescriptorProto.EXTENSION_FIELD_NUMBER);
    }

    /** The comments at a line {@code syntax} or {@code edition}: those of the file. */
    Comments ofFile() {
        Comments syntax = at(List.of(FileDescriptorProto.SYNTAX_FIELD_NUMBER));
        Comments edition = at(List.of(FileDescriptorProto.EDITION_FIELD_NUMBER));
        return syntax.isEmpty() && syntax.detached().isEmpty() ? edition : syntax;
    }

    Comments ofPackage() {
        return at(List.of(FileDescriptorProto.PACKAGE_FIELD_NUMBER));
    }

    Comments of(Descriptor message) {
        return at(path(message));
    }

    /** Of a group, they are those of its message, where protoc puts them. */
    Comments of(FieldDescriptor field) {
        Comments own = at(path(field));
        boolean isGroup = field.getType() == FieldDescriptor.Type.GROUP;
        return isGroup && own.isEmpty() && own.detached().isEmpty() ? of(field.getMessageType()) : own;
    }

    Comments of(OneofDescriptor oneof) {
        return at(child(path(oneof.getContainingType()), DescriptorProto.ONEOF_DECL_FIELD_NUMBER, oneof.getIndex()));
    }

    Comments of(EnumDescriptor type) {
        return at(path(type));
    }

    Comments of(EnumValueDescriptor value) {
        return at(child(path(value.getType()), EnumDescriptorProto.VALUE_FIELD_NUMBER, value.getIndex()));
    }

    Comments of(ServiceDescriptor service) {
        return at(List.of(FileDescriptorProto.SERVICE_FIELD_NUMBER, service.getIndex()));
    }

    Comments of(MethodDescriptor method) {
        return at(List.of(
                FileDescriptorProto.SERVICE_FIELD_NUMBER,
                method.getService().getIndex(),
                ServiceDescriptorProto.METHOD_FIELD_NUMBER,
                method.getIndex()));
    }

    /** The comments of the lines {@code reserved} and {@code extensions} of a message. */
    List<Comments> ofRanges(Descriptor message) {
        List<Comments> comments = new ArrayList<>();
        for (int number : List.of(
                DescriptorProto.RESERVED_RANGE_FIELD_NUMBER,
                DescriptorProto.RESERVED_NAME_FIELD_NUMBER,
                DescriptorProto.EXTENSION_RANGE_FIELD_NUMBER)) {
            List<Integer> path = new ArrayList<>(path(message));
            path.add(number);
            comments.add(at(path));
        }
        return comments;
    }

    /** The comments of the {@code extend} block in which an extension is declared, at its first extension only. */
    Comments ofExtendBlock(FieldDescriptor extension) {
        List<Integer> path = path(extension);
        Location own = byPath.get(path);
        Location block = block(path, own);
        if (own == null || block == null) {
            return NONE;
        }
        List<Integer> before = new ArrayList<>(path);
        before.set(before.size() - 1, extension.getIndex() - 1);
        Location previous = byPath.get(before);
        return previous != null && isInside(previous, block) ? NONE : comments(block);
    }

    private @Nullable Location block(List<Integer> path, @Nullable Location own) {
        for (Location block : extendBlocks.getOrDefault(path.subList(0, path.size() - 1), List.of())) {
            if (own != null && isInside(own, block)) {
                return block;
            }
        }
        return null;
    }

    /** Spans are start line, start column, end line if it is another one, and end column. */
    private static boolean isInside(Location inner, Location outer) {
        return !isBefore(inner.getSpan(0), inner.getSpan(1), outer.getSpan(0), outer.getSpan(1))
                && !isBefore(endLine(outer), endColumn(outer), inner.getSpan(0), inner.getSpan(1));
    }

    private static boolean isBefore(int line, int column, int otherLine, int otherColumn) {
        return line < otherLine || (line == otherLine && column < otherColumn);
    }

    private static int endLine(Location location) {
        return location.getSpan(location.getSpanCount() == 4 ? 2 : 0);
    }

    private static int endColumn(Location location) {
        return location.getSpan(location.getSpanCount() - 1);
    }

    private Comments at(List<Integer> path) {
        Location location = byPath.get(path);
        return location == null ? NONE : comments(location);
    }

    private static Comments comments(Location location) {
        return new Comments(
                location.getLeadingDetachedCommentsList(),
                location.getLeadingComments(),
                location.getTrailingComments());
    }

    private static List<Integer> path(Descriptor message) {
        Descriptor parent = message.getContainingType();
        return parent == null
                ? List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, message.getIndex())
                : child(path(parent), DescriptorProto.NESTED_TYPE_FIELD_NUMBER, message.getIndex());
    }

    private static List<Integer> path(EnumDescriptor type) {
        Descriptor parent = type.getContainingType();
        return parent == null
                ? List.of(FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, type.getIndex())
                : child(path(parent), DescriptorProto.ENUM_TYPE_FIELD_NUMBER, type.getIndex());
    }

    private static List<Integer> path(FieldDescriptor field) {
        if (!field.isExtension()) {
            return child(path(field.getContainingType()), DescriptorProto.FIELD_FIELD_NUMBER, field.getIndex());
        }
        Descriptor scope = field.getExtensionScope();
        return scope == null
                ? List.of(FileDescriptorProto.EXTENSION_FIELD_NUMBER, field.getIndex())
                : child(path(scope), DescriptorProto.EXTENSION_FIELD_NUMBER, field.getIndex());
    }

    private static List<Integer> child(List<Integer> parent, int number, int index) {
        List<Integer> path = new ArrayList<>(parent);
        path.add(number);
        path.add(index);
        return path;
    }
}
