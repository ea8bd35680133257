package io.offhook.docbook.render;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import javax.xml.transform.ErrorListener;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Result;
import javax.xml.transform.Source;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.xml.sax.SAXException;

/**
 * Renders a DocBook 5 document by the DocBook stylesheets: as HTML, or as formatting objects from which FOP makes a PDF.
 * An output file is complete or not there.
 */
final class BookRenderer {
    /** How the names of PDF files end. */
    static final String PDF = ".pdf";

    /** How the names of HTML files end. */
    static final String HTML = ".html";

    private final Path document;

    BookRenderer(Path document) {
        this.document = document;
    }

    /**
     * Renders to a file, as its name says, and returns warnings.
     *
     * @throws UnreadableException if the document cannot be read or is no DocBook 5
     * @throws IOException if the output cannot be written
     */
    List<String> render(Path output) throws UnreadableException, IOException {
        DocumentReader.check(document);
        Path unfinished = output.resolveSibling(
                "." + output.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        try {
            List<String> warnings;
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
                warnings = output.toString().endsWith(PDF) ? pdf(out) : html(out);
            }
            Files.move(unfinished, output, StandardCopyOption.REPLACE_EXISTING);
            return warnings;
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private List<String> html(OutputStream out) throws UnreadableException, IOException {
        Transformer transformer = transformer("html.xsl");
        transformer.setParameter("offhook.css", text("book.css"));
        transformer.setOutputProperty(OutputKeys.METHOD, "html");
        transformer.setOutputProperty(OutputKeys.VERSION, "5.0");
        transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
        transformer.setOutputProperty(OutputKeys.INDENT, "no");
        transform(transformer, new StreamResult(out));
        return List.of();
    }

    private List<String> pdf(OutputStream out) throws UnreadableException, IOException {
        try {
            PdfOutput pdf = new PdfOutput(out);
            transform(transformer("fo.xsl"), new SAXResult(pdf.handler()));
            return pdf.warnings();
        } catch (SAXException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Transformer transformer(String stylesheet) throws IOException {
        try {
            TransformerFactory factory = TransformerFactory.newInstance("net.sf.saxon.TransformerFactoryImpl", null);
            factory.setURIResolver(new ClassPathResources());
            factory.setErrorListener(new Quiet());
            String address = ClassPathResources.beside(stylesheet);
            Source source = new StreamSource(ClassPathResources.open(URI.create(address)), address);
            Transformer transformer = factory.newTransformer(source);
            transformer.setURIResolver(new ClassPathResources());
            transformer.setErrorListener(new Quiet());
            return transformer;
        } catch (TransformerException e) {
            throw new IllegalStateException(e);
        }
    }

    private void transform(Transformer transformer, Result result) throws UnreadableException, IOException {
        try {
            transformer.transform(DocumentReader.of(document), result);
        } catch (TransformerException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new UnreadableException(document + " cannot be rendered: " + cause.getMessage(), e);
        }
    }

    private static String text(String name) throws IOException {
        try (var in = ClassPathResources.open(URI.create(ClassPathResources.beside(name)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Errors end a transformation, with an exception; warnings are about stylesheets of 2016. */
    private static final class Quiet implements ErrorListener {
        @Override
        public void warning(TransformerException exception) {}

        @Override
        public void error(TransformerException exception) throws TransformerException {
            throw exception;
        }

        @Override
        public void fatalError(TransformerException exception) throws TransformerException {
            throw exception;
        }
    }
}
