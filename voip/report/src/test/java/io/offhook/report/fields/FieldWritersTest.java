package io.offhook.report.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.calls.CallReport;
import io.offhook.report.text.TimeForm;
import io.offhook.testkit.truth.Csv;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The same fields as JSON and as CSV. */
class FieldWritersTest {
    private static void write(FieldWriter out, String text) {
        out.field("name", text)
                .field("count", 7)
                .field("good", true)
                .field("ms", 0.0000005, 6)
                .field("odd", Double.NaN, 2)
                .time("at", 1_700_000_000_000_000_000L)
                .time("never", CallReport.NEVER)
                .milliseconds("lasted", 1_500_000);
        out.object("inner").field("a", 1).noObject("nothing").end();
        out.array("words").element("x y").element("z").end();
        out.array("pairs");
        out.object().field("length", 1).field("count", 5).end();
        out.object().field("length", 2).field("count", 3).end();
        out.end();
    }

    private static final List<String> COLUMNS = List.of(
            "name",
            "count",
            "good",
            "ms",
            "odd",
            "at",
            "never",
            "lasted",
            "inner.a",
            "inner.nothing.b",
            "words",
            "pairs");

    private static String csv(String text) {
        StringWriter out = new StringWriter();
        try {
            CsvFields csv = new CsvFields(out, COLUMNS, UnaryOperator.identity(), TimeForm.EPOCH);
            write(csv, text);
            csv.endRecord();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString();
    }

    private static String json(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonFields json = new JsonFields(out, TimeForm.EPOCH)) {
            json.object();
            write(json, text);
            json.end();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void jsonNests() {
        assertThat(json("a"))
                .isEqualTo("{\"name\":\"a\",\"count\":7,\"good\":true,\"ms\":0.000001,\"odd\":null,"
                        + "\"at\":\"1700000000.000000000\",\"never\":null,\"lasted\":1.5,"
                        + "\"inner\":{\"a\":1,\"nothing\":null},\"words\":[\"x y\",\"z\"],"
                        + "\"pairs\":[{\"length\":1,\"count\":5},{\"length\":2,\"count\":3}]}\n");
    }

    @Test
    void csvHasDottedNamesAndArraysInOneCell() {
        assertThat(csv("a"))
                .isEqualTo(String.join(",", COLUMNS)
                        + "\r\na,7,true,0.000001,,1700000000.000000000,,1.5,1,,x y; z,1 5; 2 3\r\n");
    }

    @Test
    void anyTextRoundTrips() {
        for (String text : List.of("a,b", "say \"hi\"", "two\r\nlines", "\u001b[31m", "tab\t", "東京 📞", "", "=1+1")) {
            assertThat(Csv.parse(csv(text)).get(1).getFirst()).isEqualTo(text);
            assertThat(firstText(json(text))).isEqualTo(text);
        }
    }

    private static String firstText(String json) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            while (parser.nextToken() != JsonToken.VALUE_STRING) {
                // names and brackets
            }
            return parser.getString();
        }
    }

    @Test
    void jsonEscapesControlCharacters() {
        assertThat(json("a\u001b\u007f\u009b\u202e\u2028é")).contains("\"a\\u001B\\u007F\\u009b\\u202e\\u2028é\"");
    }

    @Test
    void csvIsMaskedCellByCell() throws IOException {
        StringWriter out = new StringWriter();
        CsvFields csv = new CsvFields(out, List.of("a", "b"), cell -> cell.replace('\u001b', '?'), TimeForm.EPOCH);
        csv.field("a", "x\u001b[2J\r\n").field("b", "y");
        csv.endRecord();
        assertThat(out).hasToString("a,b\r\n\"x?[2J\r\n\",y\r\n");
    }

    @Test
    void csvRecordsAreIndependent() throws IOException {
        StringWriter out = new StringWriter();
        CsvFields csv = new CsvFields(out, List.of("a", "b"), UnaryOperator.identity(), TimeForm.EPOCH);
        csv.field("a", 1).field("b", 2);
        csv.endRecord();
        csv.field("b", 3);
        csv.endRecord();
        assertThat(out).hasToString("a,b\r\n1,2\r\n,3\r\n");
    }

    @Test
    void aFieldWithoutAColumnIsABug() throws IOException {
        CsvFields csv = new CsvFields(new StringWriter(), List.of("a"), UnaryOperator.identity(), TimeForm.EPOCH);
        assertThatThrownBy(() -> csv.object("x").field("a", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x.a");
    }
}
