package io.offhook.packet.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.ViewsTest;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/PROTOCOLS.md says of layers, views and fields, held against the code and the golden samples. */
class ProtocolsDocumentTest {
    private static final Path DOCUMENT = Path.of("../../docs/PROTOCOLS.md");
    private static final Pattern NUMBERED = Pattern.compile("(option|element|tag|attribute)[0-9]+");

    /** A row: the views, and the fields that may be told; how a protocol is recognised is for people. */
    private record Row(Set<String> views, Set<String> fields) {}

    @Test
    void listsEveryLayerWithItsViewsAndFields() throws IOException {
        Map<String, Row> expected = new LinkedHashMap<>();
        for (LayerType type : LayerType.values()) {
            expected.put(type.label(), new Row(views(type), fields(type)));
        }
        compare("Layers", expected);
    }

    @Test
    void listsEveryApplicationWithItsViewsAndFields() throws IOException {
        Map<String, Row> expected = new LinkedHashMap<>();
        for (Protocol application : StandardProtocols.applications()) {
            expected.put(application.label(), new Row(views(application), fields(application)));
        }
        compare("Applications", expected);
    }

    private static void compare(String section, Map<String, Row> expected) throws IOException {
        String text = Files.readString(DOCUMENT);
        int from = text.indexOf("## " + section);
        assertThat(from).as("section %s", section).isNotNegative();
        int to = text.indexOf("\n## ", from + 1);
        Map<String, Row> rows = new LinkedHashMap<>();
        Matcher row = Pattern.compile("(?m)^\\| `([\\w.]+)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$")
                .matcher(text.substring(from, to < 0 ? text.length() : to));
        while (row.find()) {
            assertThat(row.group(3).strip())
                    .as("how %s is recognised", row.group(1))
                    .isNotEmpty();
            rows.put(row.group(1), new Row(names(row.group(2)), names(row.group(4))));
        }
        if (!rows.equals(expected)) {
            StringBuilder table = new StringBuilder();
            expected.forEach((name, want) -> table.append(name)
                    .append('\t')
                    .append(String.join(" ", want.views()))
                    .append('\t')
                    .append(String.join(" ", want.fields()))
                    .append('\n'));
            Files.writeString(Path.of("target/protocols-" + section + ".tsv"), table);
        }
        assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
        expected.forEach((name, want) -> assertThat(rows.get(name)).as(name).isEqualTo(want));
    }

    private static Set<String> names(String cell) {
        Set<String> names = new TreeSet<>();
        for (MatchResult name : Pattern.compile("\\w+").matcher(cell).results().toList()) {
            names.add(name.group());
        }
        return names;
    }

    private static Set<String> views(LayerType type) {
        Set<String> views = new TreeSet<>();
        for (ViewsTest.Subject subject : ViewsTest.Subject.values()) {
            if (subject.newView().reads(type)) {
                views.add(subject.view.getSimpleName());
            }
        }
        return views;
    }

    private static Set<String> views(Protocol application) {
        Set<String> views = new TreeSet<>();
        for (ApplicationViewsTest.Subject subject : ApplicationViewsTest.Subject.values()) {
            if (subject.applications.contains(application.label())) {
                views.add(subject.view.getSimpleName());
            }
        }
        return views;
    }

    /** Those at a fixed place, and those that the golden frames have. */
    private static Set<String> fields(LayerType type) {
        Names names = new Names();
        new StandardProtocols().of(type).layout().fields().forEach(field -> names.add(field.name()));
        LayerFields fields = new LayerFields();
        for (GoldenFrame frame : GoldenFrame.all()) {
            PacketWalker walker = frame.walk();
            for (int i = 0; i < walker.layerCount(); i++) {
                if (walker.layerType(i) == type) {
                    fields.fields(walker, i, names);
                }
            }
        }
        return new TreeSet<>(names.all);
    }

    private static Set<String> fields(Protocol application) {
        Names names = new Names();
        ApplicationRecognizer recognizer = new ApplicationRecognizer();
        for (ApplicationSample sample : ApplicationSample.all()) {
            if (sample.application().equals(application.label())) {
                sample.recognize(recognizer);
                application.fields(recognizer.message(), names);
            }
        }
        return new TreeSet<>(names.all);
    }

    private static final class Names implements FieldVisitor {
        final Set<String> all = new LinkedHashSet<>();

        void add(String name) {
            Matcher numbered = NUMBERED.matcher(name);
            all.add(numbered.matches() ? numbered.group(1) + "N" : name);
        }

        @Override
        public void layer(String label, int position, int headerLength, boolean isCut) {}

        @Override
        public void number(String name, long value) {
            add(name);
        }

        @Override
        public void flag(String name, boolean value) {
            add(name);
        }

        @Override
        public void text(String name, String value) {
            add(name);
        }

        @Override
        public void bytes(String name, MemorySegment segment, long offset, int length) {
            add(name);
        }
    }
}
