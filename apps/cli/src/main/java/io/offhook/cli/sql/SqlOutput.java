package io.offhook.cli.sql;

import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Times;
import io.offhook.report.text.Words;
import io.offhook.store.query.SqlColumn;
import io.offhook.store.query.SqlResult;
import io.offhook.store.query.SqlRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the rows of an answer. */
abstract sealed class SqlOutput implements SqlRows, AutoCloseable {
    private List<SqlColumn> columns = List.of();

    static SqlOutput of(OutputOptions output, Terminal terminal) throws IOException {
        return switch (output.format()) {
            case TABLE -> new Lines(output, terminal);
            case JSON -> new Json(terminal);
            case CSV -> new Csv(terminal);
        };
    }

    @Override
    public void columns(List<SqlColumn> all) throws IOException {
        columns = List.copyOf(all);
    }

    final SqlColumn column(int i) {
        return columns.get(i);
    }

    /** Prints what comes behind the rows. */
    abstract void finish(SqlResult result) throws IOException;

    @Override
    public void close() throws IOException {}

    /** A table that fits the terminal. */
    private static final class Lines extends SqlOutput {
        private static final int FIRST = 100;
        private static final int SHORTEST = 8;

        private final OutputOptions output;
        private final Terminal terminal;
        private @Nullable Table table;

        Lines(OutputOptions output, Terminal terminal) {
            this.output = output;
            this.terminal = terminal;
        }

        @Override
        public void columns(List<SqlColumn> all) throws IOException {
            super.columns(all);
            List<Table.Column> laidOut = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                int importance = Math.max(1, FIRST - i); // who asks puts first what matters
                String title = all.get(i).name();
                laidOut.add(
                        all.get(i).kind() == SqlColumn.Kind.NUMBER
                                ? Table.Column.number(title, importance)
                                : Table.Column.text(title, importance, SHORTEST));
            }
            table = new Table(laidOut);
        }

        @Override
        public void row(List<@Nullable String> values) {
            Table into = table;
            if (into == null) {
                throw new IllegalStateException("a row without columns");
            }
            Table.Row row = into.row();
            for (int i = 0; i < values.size(); i++) {
                String value = values.get(i);
                row.cell(value != null && column(i).kind() == SqlColumn.Kind.TIME ? time(value) : value);
            }
        }

        private String time(String value) {
            Times times = output.times();
            long ns = Long.parseLong(value);
            return times.date(ns) + " " + times.timeOfDay(ns);
        }

        @Override
        void finish(SqlResult result) throws IOException {
            Table filled = table;
            if (filled != null && result.rows() > 0) {
                filled.print(terminal, terminal.isColored(output.color()));
                terminal.out().append('\n');
            }
            terminal.out().append(Words.count(result.rows(), "row")).append(".\n");
        }
    }

    private static final class Json extends SqlOutput {
        private final JsonFields json;

        Json(Terminal terminal) throws IOException {
            json = terminal.json();
        }

        @Override
        public void columns(List<SqlColumn> all) throws IOException {
            super.columns(all);
            json.object().array("rows");
        }

        @Override
        public void row(List<@Nullable String> values) {
            json.line().object();
            for (int i = 0; i < values.size(); i++) {
                field(column(i), values.get(i));
            }
            json.end();
        }

        private void field(SqlColumn column, @Nullable String value) {
            if (value == null) {
                json.nullField(column.name());
                return;
            }
            switch (column.kind()) {
                case TEXT -> json.field(column.name(), value);
                case NUMBER -> json.number(column.name(), value);
                case BOOLEAN -> json.field(column.name(), Boolean.parseBoolean(value));
                case TIME -> json.time(column.name(), Long.parseLong(value));
            }
        }

        @Override
        void finish(SqlResult result) {
            json.line().end().field("cut", result.isCut()).end();
        }

        @Override
        public void close() {
            json.close();
        }
    }

    private static final class Csv extends SqlOutput {
        private final Terminal terminal;

        Csv(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public void columns(List<SqlColumn> all) throws IOException {
            super.columns(all);
            line(all.stream().map(SqlColumn::name).toList());
        }

        @Override
        public void row(List<@Nullable String> values) throws IOException {
            List<String> cells = new ArrayList<>(values.size());
            for (int i = 0; i < values.size(); i++) {
                String value = values.get(i);
                boolean isTime = value != null && column(i).kind() == SqlColumn.Kind.TIME;
                cells.add(value == null ? "" : isTime ? terminal.timeForm().text(Long.parseLong(value)) : value);
            }
            line(cells);
        }

        private void line(List<String> cells) throws IOException {
            String line = CsvFields.line(cells);
            terminal.out().append(terminal.isTerminal() ? Text.printableLines(line) : line);
        }

        @Override
        void finish(SqlResult result) {}
    }
}
