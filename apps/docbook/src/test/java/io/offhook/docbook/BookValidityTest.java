package io.offhook.docbook;

import static org.assertj.core.api.Assertions.assertThat;

import com.thaiopensource.util.PropertyMapBuilder;
import com.thaiopensource.validate.ValidateProperty;
import com.thaiopensource.validate.ValidationDriver;
import com.thaiopensource.validate.prop.rng.RngProperty;
import com.thaiopensource.xml.sax.ErrorHandlerImpl;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.bootstrap.DOMImplementationRegistry;
import org.w3c.dom.ls.DOMImplementationLS;
import org.xml.sax.InputSource;

/** Books against the schema of DocBook 5, with its identifiers and the references to them. */
class BookValidityTest {
    private static final StringWriter FINDINGS = new StringWriter();

    private static ValidationDriver docbook = driver();
    private static ValidationDriver withIncludes = driver();

    @TempDir
    Path folder;

    private static ValidationDriver driver() {
        PropertyMapBuilder properties = new PropertyMapBuilder();
        properties.put(ValidateProperty.ERROR_HANDLER, new ErrorHandlerImpl(FINDINGS));
        RngProperty.CHECK_ID_IDREF.add(properties);
        return new ValidationDriver(properties.toPropertyMap());
    }

    @BeforeAll
    static void loadSchemas() throws Exception {
        docbook = load("docbook.rng");
        withIncludes = load("docbookxi.rng");
    }

    private static ValidationDriver load(String schema) throws Exception {
        ValidationDriver driver = driver();
        String address = Objects.requireNonNull(BookValidityTest.class.getResource("/docbook/rng/" + schema))
                .toString();
        assertThat(driver.loadSchema(new InputSource(address)))
                .as(FINDINGS.toString())
                .isTrue();
        return driver;
    }

    private static void assertValid(ValidationDriver driver, String name, String document) throws Exception {
        FINDINGS.getBuffer().setLength(0);
        InputSource source = new InputSource(new StringReader(document));
        source.setSystemId(name);
        boolean isValid = driver.validate(source);
        assertThat(FINDINGS.toString()).as(name).isEmpty();
        assertThat(isValid).isTrue();
        assertThat(document).doesNotContain("<!DOCTYPE").startsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    }

    /** The book and all its documents, each for itself, and the book with all that it includes. */
    private void assertValid(Map<String, String> documents) throws Exception {
        String book = documents.getOrDefault(BookWriter.BOOK, "");
        if (documents.size() == 1) {
            assertValid(docbook, BookWriter.BOOK, book);
            return;
        }
        assertValid(withIncludes, BookWriter.BOOK, book);
        for (Map.Entry<String, String> document : documents.entrySet()) {
            Files.writeString(folder.resolve(document.getKey()), document.getValue());
            if (!document.getKey().equals(BookWriter.BOOK)) {
                assertValid(docbook, document.getKey(), document.getValue());
            }
        }
        String whole = included(folder.resolve(BookWriter.BOOK));
        assertValid(docbook, "included", whole);
        Set<String> ids = found("xml:id=\"([^\"]+)\"", whole);
        assertThat(ids).containsAll(found("xlink:href=\"#([^\"]+)\"", whole));
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static String included(Path book) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
        factory.setXIncludeAware(true);
        Document document = factory.newDocumentBuilder().parse(book.toFile());
        DOMImplementationLS serialization =
                (DOMImplementationLS) DOMImplementationRegistry.newInstance().getDOMImplementation("LS");
        var out = serialization.createLSOutput();
        StringWriter text = new StringWriter();
        out.setCharacterStream(text);
        out.setEncoding("UTF-8");
        serialization.createLSSerializer().write(document, out);
        return text.toString().replaceFirst("\\?>\\s*<", "?>\n<");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "split=file", "split=package,toc=none", "toc=files,detached=hide"})
    void aBookOfEverythingIsValid(String parameter) throws Exception {
        assertValid(Protoc.ofEverything().documents(parameter, Protoc.EVERYTHING));
    }

    @Test
    void aBookOfProtobufsOwnFilesIsValid() throws Exception {
        List<String> files = Protoc.extract(Protoc.protobufJar(), folder);
        assertThat(files).hasSizeGreaterThan(10).contains("google/protobuf/descriptor.proto");
        assertValid(new Protoc(folder).documents("", files));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "split=package"})
    void aBookOfGooglesCommonProtosIsValid(String parameter) throws Exception {
        Protoc.extract(Protoc.protobufJar(), folder);
        String http = Objects.requireNonNull(BookValidityTest.class.getResource("/google/api/http.proto"))
                .getPath();
        List<String> files = Protoc.extract(Path.of(http.substring("file:".length(), http.indexOf("!/"))), folder);
        assertThat(files).hasSizeGreaterThan(50);
        Map<String, String> documents = new Protoc(folder).documents(parameter, files);
        assertThat(String.join("", documents.values()))
                .contains("xml:id=\"google.api.HttpRule.get\"")
                .contains("xml:id=\"google.longrunning.Operations.GetOperation\"");
        assertValid(documents);
    }

    /** So that the above can fail. */
    @Test
    void theSchemaRefusesWhatIsWrong() throws Exception {
        String book = Protoc.everything();
        for (String wrong : List.of(
                book.replaceFirst("<title>", "<titel>").replaceFirst("</title>", "</titel>"),
                book.replaceFirst("linkend=\"[^\"]+\"", "linkend=\"nowhere\""))) {
            FINDINGS.getBuffer().setLength(0);
            assertThat(docbook.validate(new InputSource(new StringReader(wrong))))
                    .isFalse();
        }
    }
}
