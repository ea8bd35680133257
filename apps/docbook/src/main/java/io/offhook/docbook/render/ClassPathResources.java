package io.offhook.docbook.render;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.URIResolver;
import javax.xml.transform.stream.StreamSource;
import org.apache.xmlgraphics.io.Resource;
import org.apache.xmlgraphics.io.ResourceResolver;

/**
 * Stylesheets and fonts, by addresses such as {@code res:/docbook/fo/docbook.xsl}, a path on the class path: relative ones
 * resolve as in a folder, which those of a jar do not. Nothing else can be had, neither files nor the network.
 */
final class ClassPathResources implements URIResolver, ResourceResolver {
    private static final String SCHEME = "res";

    /** The address of a resource beside this class. */
    static String beside(String name) {
        return SCHEME + ":/io/offhook/docbook/render/" + name;
    }

    /** Opens a resource by its address. */
    static InputStream open(URI address) throws IOException {
        InputStream found = SCHEME.equals(address.getScheme())
                ? ClassPathResources.class.getResourceAsStream(address.getPath())
                : null;
        if (found == null) {
            throw new FileNotFoundException(address + " is not part of Offhook");
        }
        return found;
    }

    @Override
    public Source resolve(String href, String base) throws TransformerException {
        // the empty one is the stylesheet itself, where URI.resolve has its folder
        URI address = href.isEmpty() ? URI.create(base) : URI.create(base).resolve(href);
        try {
            return new StreamSource(open(address), address.toString());
        } catch (IOException e) {
            throw new TransformerException(e.getMessage(), e);
        }
    }

    @Override
    public Resource getResource(URI address) throws IOException {
        return new Resource(open(address));
    }

    /** FOP writes to the stream it is given. */
    @Override
    public OutputStream getOutputStream(URI address) throws IOException {
        throw new IOException("there is no output at " + address);
    }
}
