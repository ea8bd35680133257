package io.offhook.cli.print;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.fields.PacketSummary;
import io.offhook.report.fields.JsonEscapes;
import io.offhook.report.text.TimeForm;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Packets as JSON, one object per line: {@code {"frame": 1, ..., "layers": [{"layer": "ethernet", ...}, ...]}}. Bytes are
 * hexadecimal digits; payloads are written only if requested.
 */
final class PrintJson implements FieldVisitor, AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final JsonGenerator json;
    private final boolean withPayload;
    private final TimeForm timeForm;
    /** Names used in the open layer; a repeated name (an option that occurs twice) is numbered. */
    private final Set<String> names = new HashSet<>();

    private boolean inLayer;
    private boolean inHeaders;

    PrintJson(OutputStream out, boolean withPayload, TimeForm timeForm) {
        this.timeForm = timeForm;
        this.withPayload = withPayload;
        json = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .rootValueSeparator("")
                .characterEscapes(new JsonEscapes())
                .build()
                .createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8);
    }

    void begin(PrintedFrame frame, PacketSummary summary) {
        json.writeStartObject();
        json.writeNumberProperty("frame", frame.number());
        json.writeStringProperty("time", timeForm.text(frame.timestampNs()));
        json.writeNumberProperty("length", frame.wireLength());
        json.writeNumberProperty("capturedLength", frame.capturedLength());
        json.writeNumberProperty("linkType", frame.linkType());
        json.writeStringProperty("source", summary.source());
        json.writeStringProperty("destination", summary.destination());
        json.writeStringProperty("protocol", summary.protocol());
        json.writeStringProperty("info", summary.info().toString());
        json.writeArrayPropertyStart("layers");
    }

    void end(String stop) {
        endLayer();
        json.writeEndArray();
        json.writeStringProperty("stop", stop);
        json.writeEndObject();
        json.writeRaw('\n');
    }

    void flush() {
        json.flush();
    }

    private void endLayer() {
        endHeaders();
        if (inLayer) {
            json.writeEndObject();
            inLayer = false;
        }
    }

    private void endHeaders() {
        if (inHeaders) {
            json.writeEndArray();
            inHeaders = false;
        }
    }

    private String unique(String name) {
        endHeaders();
        if (names.add(name)) {
            return name;
        }
        for (int i = 2; ; i++) {
            if (names.add(name + i)) {
                return name + i;
            }
        }
    }

    @Override
    public void layer(String label, int offset, int length, boolean isCut) {
        endLayer();
        names.clear();
        inLayer = true;
        json.writeStartObject();
        json.writeStringProperty("layer", label);
        json.writeNumberProperty("offset", offset);
        json.writeNumberProperty("headerLength", length);
        names.add("layer");
        names.add("offset");
        names.add("headerLength");
        if (isCut) {
            json.writeBooleanProperty("cut", true);
            names.add("cut");
        }
    }

    @Override
    public void number(String name, long value) {
        if (!name.equals("headerLength")) { // each layer has it
            json.writeNumberProperty(unique(name), value);
        }
    }

    @Override
    public void flag(String name, boolean value) {
        json.writeBooleanProperty(unique(name), value);
    }

    @Override
    public void text(String name, String value) {
        json.writeStringProperty(unique(name), value);
    }

    @Override
    public void header(String name, String value) {
        if (!inHeaders) {
            json.writeArrayPropertyStart(unique("headers"));
            inHeaders = true;
        }
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeStringProperty("value", value);
        json.writeEndObject();
    }

    @Override
    public void bytes(String name, MemorySegment segment, long offset, int length) {
        if (name.equals("data") && !withPayload) {
            return;
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        json.writeStringProperty(unique(name), HEX.formatHex(bytes));
    }

    @Override
    public void close() {
        json.close();
    }
}
