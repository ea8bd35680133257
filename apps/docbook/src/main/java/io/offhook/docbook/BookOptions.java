package io.offhook.docbook;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What {@code --docbook_opt} says.
 *
 * @param title of the book
 * @param split which documents the book consists of
 * @param toc what the table of contents lists
 * @param showsDetached whether comments are shown that belong to no element: those with an empty line behind them
 * @param markdown the name of the document in Markdown that takes the place of the book; empty if a book is wanted
 */
record BookOptions(String title, Split split, Toc toc, boolean showsDetached, String markdown) {
    /** What is used where nothing is said. */
    static final BookOptions DEFAULT = new BookOptions("Protocol documentation", Split.NONE, Toc.TYPES, true, "");

    /** Which parts of the book are documents of their own, included by {@code book.xml}. */
    enum Split {
        /** None. */
        NONE,
        /** Each file. */
        FILE,
        /** Each package. */
        PACKAGE
    }

    /** What the table of contents lists. */
    enum Toc {
        /** There is none. */
        NONE,
        /** Packages and files. */
        FILES,
        /** Packages, files, and the messages, enums and services in them. */
        TYPES
    }

    /**
     * Reads {@code name=value,name=value}. A comma or backslash within a value has a backslash before it.
     *
     * @throws OptionException if a name is unknown or given twice, or a value is none of the option
     */
    static BookOptions parse(String parameter) throws OptionException {
        BookOptions options = DEFAULT;
        Set<String> given = new HashSet<>();
        for (String word : words(parameter)) {
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            String value = equals < 0 ? "" : word.substring(equals + 1);
            if (!given.add(name)) {
                throw new OptionException("the option " + name + " is given twice");
            }
            options = options.with(name, value);
        }
        if (!options.markdown.isEmpty() && options.split != Split.NONE) {
            throw new OptionException("markdown= is one document, which split= cannot divide");
        }
        return options;
    }

    private BookOptions with(String name, String value) throws OptionException {
        return switch (name) {
            case "title" -> {
                if (value.isBlank()) {
                    throw new OptionException("title= needs a text");
                }
                yield new BookOptions(value, split, toc, showsDetached, markdown);
            }
            case "split" -> new BookOptions(title, constant(Split.class, name, value), toc, showsDetached, markdown);
            case "toc" -> new BookOptions(title, split, constant(Toc.class, name, value), showsDetached, markdown);
            case "detached" -> new BookOptions(title, split, toc, isShown(value), markdown);
            case "markdown" -> {
                if (value.isBlank()) {
                    throw new OptionException("markdown= needs the name of a file, such as EVENTS.md");
                }
                yield new BookOptions(title, split, toc, showsDetached, value);
            }
            default ->
                throw new OptionException(
                        "there is no option " + name
                                + "; there are title, split, toc, detached and markdown (a comma within a title is written \\,)");
        };
    }

    private static boolean isShown(String value) throws OptionException {
        return switch (value) {
            case "show" -> true;
            case "hide" -> false;
            default -> throw new OptionException("detached=" + value + ": use one of show, hide");
        };
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name, String value) throws OptionException {
        List<String> labels = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            String label = constant.name().toLowerCase(Locale.ROOT);
            if (label.equals(value)) {
                return constant;
            }
            labels.add(label);
        }
        throw new OptionException(name + "=" + value + ": use one of " + String.join(", ", labels));
    }

    private static List<String> words(String parameter) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < parameter.length(); i++) {
            char c = parameter.charAt(i);
            if (c == '\\' && i + 1 < parameter.length()) {
                i++;
                word.append(parameter.charAt(i));
            } else if (c == ',') {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        words.add(word.toString());
        words.removeIf(String::isBlank);
        return words;
    }
}
