package io.offhook.packet.fields;

import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.walk.GoldenFrame;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A payload of applications.tsv: bytes built outside of this project and read back with tshark, with what they say. */
record ApplicationSample(
        String name,
        LayerType transport,
        int sourcePort,
        int destinationPort,
        String application,
        Map<String, String> fields,
        String hex) {

    static List<ApplicationSample> all() {
        try (InputStream in = Objects.requireNonNull(ApplicationSample.class.getResourceAsStream("applications.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(ApplicationSample::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ApplicationSample parse(String line) {
        String[] column = line.split("\t", -1);
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : column[5].isEmpty() ? new String[0] : column[5].split("\\|", -1)) {
            int equals = field.indexOf('=');
            fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        return new ApplicationSample(
                column[0],
                LayerType.valueOf(column[1]),
                Integer.parseInt(column[2]),
                Integer.parseInt(column[3]),
                column[4],
                fields,
                column[6]);
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    int length() {
        return hex.length() / 2;
    }

    /** In memory of just that size, so that a read outside of it throws. */
    MemorySegment segment() {
        return GoldenFrame.segment(bytes());
    }

    /** Gives it to a recognizer, whole. */
    @Nullable
    Protocol recognize(ApplicationRecognizer recognizer) {
        return recognize(recognizer, segment(), length());
    }

    /** Gives its first bytes, which a segment holds, to a recognizer. */
    @Nullable
    Protocol recognize(ApplicationRecognizer recognizer, MemorySegment segment, int length) {
        return recognizer.recognize(transport, segment, 0, length, length, sourcePort, destinationPort);
    }

    @Override
    public String toString() {
        return name;
    }
}
