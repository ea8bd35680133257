package io.offhook.docbook;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.offhook.docbook.BookOptions.Split;
import io.offhook.docbook.BookOptions.Toc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the book: a part a package, in it a chapter a file, each in the document that the options want it in. */
final class BookWriter {
    /** The document with the whole book, or the one that includes all others. */
    static final String BOOK = "book.xml";

    private final ProtoFiles files;
    private final BookOptions options;
    private final BookLinks links;
    private final Map<String, String> documents = new LinkedHashMap<>();

    BookWriter(ProtoFiles files, BookOptions options) {
        this.files = files;
        this.options = options;
        this.links = new BookLinks(files, options);
    }

    /** Returns the documents, by name. */
    Map<String, String> documents() {
        Page book = page(BOOK, "book", options.split() != Split.NONE);
        BookXml xml = book.xml();
        xml.block("info").textLine("title", options.title()).end();
        if (options.toc() != Toc.NONE) {
            // an empty one asks for one that is made; the role says how deep
            xml.empty("toc", "role", options.toc().name().toLowerCase(Locale.ROOT));
        }
        files.byPackage().forEach((name, ofPackage) -> {
            if (options.split() == Split.PACKAGE) {
                String document = links.document(ofPackage.getFirst());
                Page part = page(document, "part", false);
                part(part, name, ofPackage);
                documents.put(document, part.xml().document());
                xml.include(document);
            } else {
                xml.block("part");
                part(book, name, ofPackage);
                xml.end();
            }
        });
        documents.put(BOOK, xml.document());
        return documents;
    }

    private Page page(String document, String root, boolean hasIncludes) {
        return new Page(new BookXml(root, hasIncludes), links, document, options.showsDetached());
    }

    private void part(Page page, String name, List<FileDescriptor> ofPackage) {
        BookXml xml = page.xml();
        xml.attribute("xml:id", BookLinks.packageId(name));
        xml.textLine("title", name.isEmpty() ? "Without a package" : "Package " + name);
        for (FileDescriptor file : ofPackage) {
            if (options.split() == Split.FILE) {
                String document = links.document(file);
                Page chapter = page(document, "chapter", false);
                new FileChapter(chapter, file).write();
                documents.put(document, chapter.xml().document());
                xml.include(document);
            } else {
                xml.block("chapter");
                new FileChapter(page, file).write();
                xml.end();
            }
        }
    }
}
