package io.offhook.packet.walk;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.fields.LayerFields;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Prints every packet of a capture as a JSON line, as `offhook print --format json` does: to compare by hand. */
final class PacketJson implements FieldVisitor {
    private final StringBuilder line = new StringBuilder();

    public static void main(String[] args) throws IOException {
        PacketWalker walker = new PacketWalker();
        LayerFields fields = new LayerFields();
        PacketJson json = new PacketJson();
        for (String name : args) {
            String[] fromTo = name.split(">", -1);
            try (PrintStream out = new PrintStream(fromTo[1], StandardCharsets.UTF_8)) {
                CaptureFrames.read(Path.of(fromTo[0]), (number, segment, offset, captured, wire, linkType) -> {
                    PacketWalker.Stop stop = walker.walk(segment, offset, captured, wire, linkType);
                    json.line.setLength(0);
                    json.line
                            .append("{\"frame\":")
                            .append(number)
                            .append(",\"length\":")
                            .append(wire);
                    json.line
                            .append(",\"stop\":\"")
                            .append(stop)
                            .append(' ')
                            .append(walker.stopLayer())
                            .append('"');
                    json.line.append(",\"layers\":[");
                    fields.describe(walker, json);
                    json.line.append(walker.layerCount() == 0 && walker.needed() == 0 ? "]}" : "}]}");
                    out.println(json.line.toString().replace("[}", "["));
                });
            }
        }
    }

    @Override
    public void layer(String label, int position, int headerLength, boolean isCut) {
        line.append(line.charAt(line.length() - 1) == '[' ? "{" : "},{");
        line.append("\"layer\":\"").append(label).append('"');
    }

    @Override
    public void number(String name, long value) {
        line.append(",\"").append(name).append("\":").append(value);
    }

    @Override
    public void flag(String name, boolean value) {
        line.append(",\"").append(name).append("\":").append(value);
    }

    @Override
    public void text(String name, String value) {
        line.append(",\"").append(name).append("\":\"").append(value).append('"');
    }

    @Override
    public void bytes(String name, MemorySegment segment, long offset, int length) {}
}
