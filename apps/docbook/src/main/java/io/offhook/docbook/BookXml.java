package io.offhook.docbook;

import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes one document of DocBook 5, indented by its structure. Text is escaped; what XML 1.0 cannot contain is shown by
 * another character.
 */
final class BookXml {
    private static final String DOCBOOK = "http://docbook.org/ns/docbook";
    private static final String XLINK = "http://www.w3.org/1999/xlink";
    private static final String XINCLUDE = "http://www.w3.org/2001/XInclude";

    private static final int DELETE = 0x7F;

    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter xml;
    private final Deque<Boolean> blocks = new ArrayDeque<>();

    /** Starts a document whose root is this element. */
    BookXml(String root, boolean hasIncludes) {
        try {
            xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement(root);
            xml.writeDefaultNamespace(DOCBOOK);
            xml.writeNamespace("xlink", XLINK);
            if (hasIncludes) {
                xml.writeNamespace("xi", XINCLUDE);
            }
            xml.writeAttribute("version", "5.0");
            blocks.push(true);
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** Starts an element that stands in a line of its own, and whose content does, too. */
    BookXml block(String name, String... attributes) {
        return start(name, true, attributes);
    }

    /** Starts an element that stands in a line of its own, with its content. */
    BookXml line(String name, String... attributes) {
        newLine();
        return start(name, false, attributes);
    }

    /** Starts an element within text. */
    BookXml inline(String name, String... attributes) {
        return start(name, false, attributes);
    }

    private BookXml start(String name, boolean isBlock, String... attributes) {
        try {
            if (isBlock) {
                newLine();
            }
            xml.writeStartElement(name);
            for (int i = 0; i < attributes.length; i += 2) {
                attribute(attributes[i], attributes[i + 1]);
            }
            blocks.push(isBlock);
            return this;
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** Adds an attribute to the element that was started last. */
    BookXml attribute(String name, String value) {
        try {
            if (name.startsWith("xml:")) {
                xml.writeAttribute("xml", "http://www.w3.org/XML/1998/namespace", name.substring(4), value);
            } else if (name.startsWith("xlink:")) {
                xml.writeAttribute("xlink", XLINK, name.substring(6), printable(value));
            } else {
                xml.writeAttribute(name, value);
            }
            return this;
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    BookXml text(String characters) {
        try {
            xml.writeCharacters(printable(characters));
            return this;
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** Ends the element that was started last. */
    BookXml end() {
        try {
            boolean isBlock = blocks.pop();
            if (isBlock) {
                newLine();
            }
            xml.writeEndElement();
            return this;
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** An element in a line of its own that has only text. */
    BookXml textLine(String name, String content) {
        return line(name).text(content).end();
    }

    /** An element without content, in a line of its own. */
    BookXml empty(String name, String... attributes) {
        try {
            newLine();
            xml.writeEmptyElement(name);
            for (int i = 0; i < attributes.length; i += 2) {
                xml.writeAttribute(attributes[i], attributes[i + 1]);
            }
            return this;
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** Has another document included here. */
    BookXml include(String document) {
        try {
            newLine();
            xml.writeEmptyElement("xi", "include", XINCLUDE);
            xml.writeAttribute("href", document);
            return this;
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** Ends the root, and returns the document. */
    String document() {
        try {
            end();
            xml.writeEndDocument();
            xml.close();
            return text.append('\n').toString();
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    private void newLine() {
        try {
            xml.writeCharacters("\n" + "  ".repeat(blocks.size()));
        } catch (XMLStreamException e) {
            throw unexpected(e);
        }
    }

    /** Control characters by their pictures (U+2400 to U+2421), and what is no character by U+FFFD. */
    static String printable(String text) {
        if (text.codePoints().allMatch(BookXml::isAllowed)) {
            return text;
        }
        StringBuilder result = new StringBuilder();
        text.codePoints().map(BookXml::printable).forEach(result::appendCodePoint);
        return result.toString();
    }

    private static int printable(int c) {
        if (isAllowed(c)) {
            return c;
        }
        return c < ' ' ? 0x2400 + c : c == DELETE ? 0x2421 : 0xFFFD;
    }

    /** The production Char of XML 1.0, without carriage return, which parsers would normalise, and DEL. */
    private static boolean isAllowed(int c) {
        return c == '\t'
                || c == '\n'
                || (c >= ' ' && c < Character.MIN_SURROGATE && c != DELETE)
                || (c > Character.MAX_SURROGATE && c < 0xFFFE)
                || c >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
    }

    /** A {@link StringWriter} does not fail, and elements are balanced. */
    private static IllegalStateException unexpected(XMLStreamException e) {
        return new IllegalStateException(e);
    }
}
