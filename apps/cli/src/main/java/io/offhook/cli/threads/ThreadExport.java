package io.offhook.cli.threads;

import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.recording.RecordedLook;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import io.offhook.store.ParquetOfCsv;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code --export FILE}: a line a thread and reading, for other programs. */
final class ThreadExport implements AutoCloseable {
    private static final String CSV = ".csv";
    private static final String JSON = ".jsonl";
    private static final String PARQUET = ".parquet";

    private final Path file;
    /** What Parquet is made of; the file itself otherwise. */
    private final Path written;

    private final @Nullable Writer writer;
    private final @Nullable CsvFields csv;
    private final @Nullable OutputStream lines;
    private final TimeForm timeForm;

    private ThreadExport(Path file, TimeForm timeForm) throws IOException {
        this.file = file;
        boolean isParquet = ends(file, PARQUET);
        this.timeForm = isParquet ? TimeForm.ISO : timeForm;
        written = isParquet ? file.resolveSibling(file.getFileName() + ".csv.tmp") : file;
        if (ends(file, JSON)) {
            lines = new BufferedOutputStream(Files.newOutputStream(written));
            writer = null;
            csv = null;
        } else {
            lines = null;
            writer = Files.newBufferedWriter(written, StandardCharsets.UTF_8);
            csv = new CsvFields(writer, ThreadsCsv.COLUMNS, UnaryOperator.identity(), this.timeForm);
        }
    }

    /** Whether the name says a format. */
    static boolean isKnown(String name) {
        Path file = Path.of(name);
        return ends(file, CSV) || ends(file, JSON) || ends(file, PARQUET);
    }

    private static boolean ends(Path file, String ending) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(ending);
    }

    /** Begins a file. */
    static ThreadExport to(Path file, TimeForm timeForm) throws IOException {
        return new ThreadExport(file, timeForm);
    }

    void write(RecordedLook look, JavaHistory java) throws IOException {
        LookIndex index = new LookIndex(look);
        for (ThreadRow row : look.rows()) {
            if (csv != null) {
                ThreadsCsv.fields(csv, look.atNs(), row, java);
                ThreadsCsv.details(csv, row.id(), index);
                csv.endRecord();
            } else if (lines != null) {
                try (JsonFields json = new JsonFields(lines, timeForm)) {
                    json.object();
                    ThreadsCsv.fields(json, look.atNs(), row, java);
                    ThreadsCsv.details(json, row.id(), index);
                    json.end();
                }
            }
        }
    }

    /** Ends the file. @throws IOException if it could not be written */
    void finish() throws IOException {
        closeAll();
        if (!written.equals(file)) {
            ParquetOfCsv.write(written, ThreadsCsv.TYPES, file);
        }
    }

    private void closeAll() throws IOException {
        if (writer != null) {
            writer.close();
        }
        if (lines != null) {
            lines.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeAll();
        if (!written.equals(file)) {
            Files.deleteIfExists(written);
        }
    }
}
