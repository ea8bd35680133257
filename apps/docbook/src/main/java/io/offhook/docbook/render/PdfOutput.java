package io.offhook.docbook.render;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.fop.apps.FOPException;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopConfParser;
import org.apache.fop.apps.FopFactory;
import org.apache.fop.apps.MimeConstants;
import org.apache.fop.events.Event;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/** Makes a PDF of formatting objects, with the fonts of Offhook embedded and no others. */
final class PdfOutput {
    private static final URI BASE = URI.create("res:/");

    private final Set<String> missing = new TreeSet<>();
    private final Fop fop;

    PdfOutput(OutputStream out) throws IOException, SAXException {
        ClassPathResources resources = new ClassPathResources();
        URI settings = URI.create(ClassPathResources.beside("fop.xconf"));
        try (var in = ClassPathResources.open(settings)) {
            FopFactory factory = new FopConfParser(in, BASE, resources)
                    .getFopFactoryBuilder()
                    .build();
            FOUserAgent agent = factory.newFOUserAgent();
            agent.setProducer("Offhook");
            agent.getEventBroadcaster().addEventListener(this::heard);
            fop = factory.newFop(MimeConstants.MIME_PDF, agent, out);
        } catch (FOPException e) {
            throw new SAXException(e);
        }
    }

    /** Where formatting objects go. */
    ContentHandler handler() throws SAXException {
        try {
            return fop.getDefaultHandler();
        } catch (FOPException e) {
            throw new SAXException(e);
        }
    }

    /** What differs from the document: characters that the fonts lack. */
    List<String> warnings() {
        return missing.isEmpty()
                ? List.of()
                : List.of("the fonts lack, and the PDF shows # for: " + String.join(" ", missing));
    }

    private void heard(Event event) {
        if (event.getEventID().endsWith("glyphNotAvailable")) {
            missing.add(String.valueOf(event.getParam("ch")));
        }
    }
}
