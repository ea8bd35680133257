package io.offhook.report.fields;

import io.offhook.report.text.Decimals;
import io.offhook.report.text.TimeForm;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Streams fields as JSON (RFC 8259) in UTF-8. Characters that would control a terminal are escaped. {@link #close} ends the
 * document.
 */
public final class JsonFields implements FieldWriter, AutoCloseable {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .characterEscapes(new JsonEscapes())
            .build();

    private final JsonGenerator json;
    private final TimeForm timeForm;

    /**
     * Begins a document.
     *
     * @param out receives the document; neither flushed nor closed
     */
    public JsonFields(OutputStream out, TimeForm timeForm) {
        this.timeForm = timeForm;
        json = FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8);
    }

    @Override
    public TimeForm timeForm() {
        return timeForm;
    }

    @Override
    public JsonFields object(String name) {
        json.writeObjectPropertyStart(name);
        return this;
    }

    @Override
    public JsonFields object() {
        json.writeStartObject();
        return this;
    }

    @Override
    public JsonFields array(String name) {
        json.writeArrayPropertyStart(name);
        return this;
    }

    @Override
    public JsonFields end() {
        if (json.streamWriteContext().inArray()) {
            json.writeEndArray();
        } else {
            json.writeEndObject();
        }
        return this;
    }

    @Override
    public JsonFields field(String name, @Nullable String value) {
        if (value == null) {
            return nullField(name);
        }
        json.writeStringProperty(name, value);
        return this;
    }

    @Override
    public JsonFields field(String name, long value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    @Override
    public JsonFields field(String name, boolean value) {
        json.writeBooleanProperty(name, value);
        return this;
    }

    @Override
    public JsonFields field(String name, double value, int decimals) {
        if (!Double.isFinite(value)) {
            return nullField(name);
        }
        json.writeName(name);
        if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
            json.writeNumber((long) value);
        } else {
            json.writeNumber(Decimals.shortest(value, decimals));
        }
        return this;
    }

    /** A number of any size, in decimal notation as JSON has it. */
    public JsonFields number(String name, String decimal) {
        json.writeName(name);
        json.writeNumber(decimal);
        return this;
    }

    @Override
    public JsonFields element(String value) {
        json.writeString(value);
        return this;
    }

    /** Adds a number to an array, with at most {@code decimals} decimals, 0 to 6; infinite values and NaN become null. */
    public JsonFields element(double value, int decimals) {
        if (Double.isFinite(value)) {
            json.writeNumber(Decimals.shortest(value, decimals));
        } else {
            json.writeNull();
        }
        return this;
    }

    @Override
    public JsonFields nullField(String name) {
        json.writeNullProperty(name);
        return this;
    }

    @Override
    public JsonFields noObject(String name) {
        return nullField(name);
    }

    /** Begins a new line between elements of a long array, for tools that process lines. */
    public JsonFields line() {
        json.writeRaw('\n');
        return this;
    }

    @Override
    public void close() {
        json.writeRaw('\n');
        json.close();
    }
}
