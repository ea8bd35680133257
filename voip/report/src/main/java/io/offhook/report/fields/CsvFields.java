package io.offhook.report.fields;

import io.offhook.report.text.Decimals;
import io.offhook.report.text.TimeForm;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fields as CSV (RFC 4180): a heading, then one line per record, each ended by CR LF. Names of nested fields are joined by
 * dots. An array is one cell: its elements are separated by "; ", the fields of an element by spaces.
 *
 * <p>Text is written as captured, unless it is masked.
 */
public final class CsvFields implements FieldWriter {
    private final Writer out;
    private final UnaryOperator<String> mask;
    private final TimeForm timeForm;
    private final String[] cells;
    private final StringBuilder line = new StringBuilder();

    /** The open objects, outermost first. */
    private final List<Node> path = new ArrayList<>();

    private @Nullable StringBuilder array;
    private int depthInArray;
    private boolean elementHasFields;

    /** A field or an object by name; the tree of dotted column names. */
    private static final class Node {
        private static final int NO_COLUMN = -1;

        private final String name;
        private final Map<String, Node> children = new HashMap<>();
        private int column = NO_COLUMN;

        Node(String name) {
            this.name = name;
        }

        Node child(String childName) {
            Node child = children.get(childName);
            return child == null ? new Node(name + "." + childName) : child;
        }

        void add(String column, int index) {
            Node node = this;
            for (String part : column.split("\\.", -1)) {
                Node parent = node;
                node = parent.children.computeIfAbsent(
                        part, key -> new Node(parent.name.isEmpty() ? key : parent.name + "." + key));
            }
            node.column = index;
        }
    }

    /**
     * Writes the heading.
     *
     * @param columns names, with a dot between an object and its fields
     * @param mask what becomes of each cell, as of characters that would control a terminal
     */
    public CsvFields(Writer out, List<String> columns, UnaryOperator<String> mask, TimeForm timeForm)
            throws IOException {
        this.timeForm = timeForm;
        this.out = out;
        this.mask = mask;
        cells = columns.toArray(String[]::new);
        Node root = new Node("");
        for (int i = 0; i < cells.length; i++) {
            root.add(cells[i], i);
        }
        path.add(root);
        endRecord();
    }

    @Override
    public TimeForm timeForm() {
        return timeForm;
    }

    /** Writes the line. Fields without a value are empty. */
    public void endRecord() throws IOException {
        line.setLength(0);
        for (int i = 0; i < cells.length; i++) {
            append(line, i == 0 ? "" : ",", mask.apply(cells[i]));
            cells[i] = "";
        }
        out.append(line).append("\r\n");
    }

    /** A line of cells, with its end, for records whose columns are not known before. */
    public static String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            append(line, i == 0 ? "" : ",", cells.get(i));
        }
        return line.append("\r\n").toString();
    }

    private static void append(StringBuilder line, String separator, String cell) {
        line.append(separator);
        boolean quoted = false;
        for (int i = 0; i < cell.length() && !quoted; i++) {
            char c = cell.charAt(i);
            quoted = c == ',' || c == '"' || c == '\r' || c == '\n';
        }
        if (quoted) {
            line.append('"').append(cell.replace("\"", "\"\"")).append('"');
        } else {
            line.append(cell);
        }
    }

    private CsvFields put(String name, String value) {
        StringBuilder elements = array;
        if (elements != null) {
            elements.append(elementHasFields ? " " : "").append(value);
            elementHasFields = true;
            return this;
        }
        set(path.getLast().child(name), value);
        return this;
    }

    private void set(Node node, String value) {
        if (node.column == Node.NO_COLUMN) {
            throw new IllegalArgumentException("field " + node.name + " has no column");
        }
        cells[node.column] = value;
    }

    @Override
    public CsvFields object(String name) {
        path.add(path.getLast().child(name));
        return this;
    }

    @Override
    public CsvFields object() {
        beginElement();
        depthInArray++;
        return this;
    }

    private void beginElement() {
        StringBuilder elements = array;
        if (elements == null) {
            throw new IllegalStateException("an element is outside of an array");
        }
        elements.append(elements.isEmpty() ? "" : "; ");
        elementHasFields = false;
    }

    @Override
    public CsvFields array(String name) {
        if (array != null) {
            throw new IllegalStateException("CSV cannot nest arrays: " + name);
        }
        path.add(path.getLast().child(name));
        array = new StringBuilder();
        return this;
    }

    @Override
    public CsvFields end() {
        StringBuilder elements = array;
        if (elements != null && depthInArray > 0) {
            depthInArray--;
            return this;
        }
        Node ended = path.removeLast();
        if (elements != null) {
            array = null;
            set(ended, elements.toString());
        }
        return this;
    }

    @Override
    public CsvFields field(String name, @Nullable String value) {
        return put(name, value == null ? "" : value);
    }

    @Override
    public CsvFields field(String name, long value) {
        return put(name, Long.toString(value));
    }

    @Override
    public CsvFields field(String name, boolean value) {
        return put(name, value ? "true" : "false");
    }

    @Override
    public CsvFields field(String name, double value, int decimals) {
        return put(name, Double.isFinite(value) ? Decimals.shortest(value, decimals) : "");
    }

    @Override
    public CsvFields element(String value) {
        beginElement();
        return put("", value);
    }

    @Override
    public CsvFields nullField(String name) {
        return put(name, "");
    }

    @Override
    public CsvFields noObject(String name) {
        return this;
    }
}
