package io.offhook.docbook;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be linked to. The {@code xml:id} of an element is its full name, which is unique among all files of a request;
 * files and packages have a prefix with a hyphen, which no name of protobuf contains.
 */
final class BookLinks {
    /** By id, the document that it is in. */
    private final Map<String, String> documents = new HashMap<>();

    private final Map<String, String> fileIds = new HashMap<>();
    private final BookOptions options;

    BookLinks(ProtoFiles files, BookOptions options) {
        this.options = options;
        Set<String> taken = new HashSet<>();
        for (FileDescriptor file : files.files()) {
            String id = "file-" + ncName(file.getName());
            String unique = id;
            // documents have these names, and file systems may not distinguish case
            for (int i = 2; !taken.add(unique.toLowerCase(Locale.ROOT)); i++) {
                unique = id + "-" + i;
            }
            fileIds.put(file.getName(), unique);
            add(file);
        }
    }

    private void add(FileDescriptor file) {
        String document = document(file);
        documents.put(id(file), document);
        file.getMessageTypes().forEach(message -> add(message, document));
        file.getEnumTypes().forEach(type -> add(type, document));
        file.getExtensions().forEach(extension -> documents.put(extension.getFullName(), document));
        for (ServiceDescriptor service : file.getServices()) {
            documents.put(service.getFullName(), document);
            service.getMethods().forEach(method -> documents.put(method.getFullName(), document));
        }
    }

    private void add(Descriptor message, String document) {
        if (message.getOptions().getMapEntry()) {
            return;
        }
        documents.put(message.getFullName(), document);
        for (FieldDescriptor field : message.getFields()) {
            documents.put(field.getFullName(), document);
        }
        message.getExtensions().forEach(extension -> documents.put(extension.getFullName(), document));
        message.getNestedTypes().forEach(nested -> add(nested, document));
        message.getEnumTypes().forEach(type -> add(type, document));
    }

    private void add(EnumDescriptor type, String document) {
        documents.put(type.getFullName(), document);
        type.getValues().forEach(value -> documents.put(value.getFullName(), document));
    }

    /** The name of the document that a file is described in. */
    String document(FileDescriptor file) {
        return switch (options.split()) {
            case NONE -> "book.xml";
            case FILE -> id(file) + ".xml";
            case PACKAGE -> packageId(file.getPackage()) + ".xml";
        };
    }

    /** The id of a file's chapter. */
    String id(FileDescriptor file) {
        return fileIds.getOrDefault(file.getName(), "");
    }

    /** The id of a package's part. */
    static String packageId(String name) {
        return "package-" + name;
    }

    /** Whether the book describes a file. */
    boolean isKnown(FileDescriptor file) {
        return fileIds.containsKey(file.getName());
    }

    /** The document that describes the element with this id; null if the book does not. */
    @Nullable
    String document(String id) {
        return documents.get(id);
    }

    /** Names have only letters of ASCII, digits and underscores; paths of files may have anything. */
    private static String ncName(String path) {
        StringBuilder name = new StringBuilder();
        path.codePoints().forEach(c -> {
            if (c < 0x80 && (Character.isLetterOrDigit(c) || c == '.' || c == '_')) {
                name.append((char) c);
            } else if (c == '/') {
                name.append('-');
            } else {
                name.append("-x").append(Integer.toHexString(c));
            }
        });
        return name.toString();
    }

    /** An address as RFC 3986 has it: what is not ASCII, and what is not allowed, in percent encoding. */
    static String uri(String address) {
        StringBuilder uri = new StringBuilder();
        boolean hasFragment = false;
        byte[] bytes = BookXml.printable(address).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xFF);
            boolean isEscape = c == '%' && i + 2 < bytes.length && isHex(bytes[i + 1]) && isHex(bytes[i + 2]);
            boolean isPlain = c > ' ' && c < 0x7F && "\"<>\\^`{|}[]%".indexOf(c) < 0 && !(c == '#' && hasFragment);
            hasFragment |= c == '#';
            if (isPlain || isEscape) {
                uri.append(c);
            } else {
                uri.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return uri.toString();
    }

    private static boolean isHex(byte b) {
        return Character.digit(b, 16) >= 0;
    }
}
