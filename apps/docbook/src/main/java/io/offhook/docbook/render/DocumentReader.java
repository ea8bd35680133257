package io.offhook.docbook.render;

import java.io.IOException;
import java.nio.file.Path;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.sax.SAXSource;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.XMLFilterImpl;

/**
 * Reads a DocBook 5 document with what it includes. External entities and DTDs are not loaded, and includes only from
 * files. A root of another namespace than DocBook's ends the reading.
 */
final class DocumentReader extends XMLFilterImpl {
    private static final String DOCBOOK = "http://docbook.org/ns/docbook";
    private static final String FEATURES = "http://xml.org/sax/features/";

    private int depth;

    private DocumentReader(XMLReader parser) {
        super(parser);
    }

    /**
     * Reads the document for nothing but its faults, which are found before stylesheets are compiled.
     *
     * @throws UnreadableException if it, or what it includes, is not there, not well-formed or no DocBook 5
     */
    static void check(Path document) throws UnreadableException {
        SAXSource source = of(document);
        try {
            source.getXMLReader().parse(source.getInputSource());
        } catch (SAXParseException e) {
            String line = e.getLineNumber() > 0 ? ", line " + e.getLineNumber() : "";
            String place = e.getSystemId() == null ? document.toString() : e.getSystemId();
            throw new UnreadableException(place + line + ": " + e.getMessage(), e);
        } catch (SAXException | IOException e) {
            throw new UnreadableException(document + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The document for a transformation, which reads it. */
    static SAXSource of(Path document) {
        try {
            SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
            factory.setNamespaceAware(true);
            factory.setXIncludeAware(true);
            factory.setFeature(FEATURES + "external-general-entities", false);
            factory.setFeature(FEATURES + "external-parameter-entities", false);
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            XMLReader parser = factory.newSAXParser().getXMLReader();
            DocumentReader reader = new DocumentReader(parser);
            return new SAXSource(reader, new InputSource(document.toUri().toString()));
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void startElement(String namespace, String name, String qualified, Attributes attributes)
            throws SAXException {
        if (depth == 0 && !namespace.equals(DOCBOOK)) {
            throw new SAXParseException(
                    "the root element " + qualified + " is not of DocBook 5 (" + DOCBOOK + ")", null);
        }
        depth++;
        super.startElement(namespace, name, qualified, attributes);
    }

    @Override
    public void endElement(String namespace, String name, String qualified) throws SAXException {
        depth--;
        super.endElement(namespace, name, qualified);
    }

    @Override
    public @Nullable InputSource resolveEntity(@Nullable String publicId, @Nullable String systemId)
            throws SAXException, IOException {
        if (systemId != null && !systemId.startsWith("file:")) {
            throw new IOException(systemId + " is not a file; only files are read");
        }
        return null;
    }
}
