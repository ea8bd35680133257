package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Holds programs and messages against those that libpcap 1.10.3 gave for 9,000 pairs of link type and expression. */
class LibpcapProgramsTest {
    private record Row(int linkType, boolean isOptimized, String expression, String result) {
        boolean isDigest() {
            return result.matches("[0-9]+ [0-9a-f]{8}");
        }
    }

    @Test
    void makesTheProgramsThatLibpcapMakes() throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Row row : rows()) {
            if (!row.result.startsWith("E ")) {
                compared++;
                BpfProgram program = compile(row);
                String have = row.isDigest() ? digest(program) : text(program);
                if (!have.equals(row.result)) {
                    differences.add(row + " have " + have);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(4000);
    }

    @Test
    void rejectsWithTheWordsOfLibpcap() throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (Row row : rows()) {
            if (row.result.startsWith("E ")) {
                compared++;
                String have = reason(row);
                if (!have.startsWith(row.result.substring(2))) {
                    differences.add(row + " have " + have);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isGreaterThan(2000);
    }

    /** It follows from the first test; but where that one fails, this says whether it matters. */
    @Test
    void makesProgramsThatAreNotLongerThanThoseOfLibpcap() throws IOException {
        List<Double> ratios = new ArrayList<>();
        for (Row row : rows()) {
            if (row.isOptimized && !row.result.startsWith("E ")) {
                int theirs = row.isDigest()
                        ? Integer.parseInt(row.result.substring(0, row.result.indexOf(' ')))
                        : row.result.split(",", -1).length;
                ratios.add((double) compile(row).length() / theirs);
            }
        }
        double[] sorted =
                ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        assertThat(sorted).hasSizeGreaterThan(2500);
        assertThat(sorted[sorted.length / 2]).as("median").isLessThanOrEqualTo(1);
        assertThat(sorted[sorted.length - 1]).as("worst").isLessThanOrEqualTo(1);
    }

    private static BpfProgram compile(Row row) {
        return row.isOptimized
                ? FilterCompiler.compile(row.expression, row.linkType, FilterCompiler.DEFAULT_SNAP_LENGTH)
                : FilterCompiler.compileUnoptimized(row.expression, row.linkType, FilterCompiler.DEFAULT_SNAP_LENGTH);
    }

    private static String reason(Row row) {
        try {
            return "no exception, " + compile(row).length() + " instructions";
        } catch (FilterException e) {
            return e.reason();
        }
    }

    static String text(BpfProgram program) {
        StringJoiner text = new StringJoiner(",");
        for (int i = 0; i < program.length(); i++) {
            text.add(Integer.toHexString(program.code(i))
                    + ' '
                    + Integer.toHexString(program.jt(i))
                    + ' '
                    + Integer.toHexString(program.jf(i))
                    + ' '
                    + Integer.toHexString(program.k(i)));
        }
        return text.toString();
    }

    private static String digest(BpfProgram program) {
        CRC32 crc = new CRC32();
        crc.update(text(program).getBytes(StandardCharsets.US_ASCII));
        return "%d %08x".formatted(program.length(), crc.getValue());
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        InputStream resource = Objects.requireNonNull(LibpcapProgramsTest.class.getResourceAsStream("libpcap.tsv"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            for (String line : (Iterable<String>) lines.lines()::iterator) {
                if (!line.startsWith("#")) {
                    String[] columns = line.split("\t", -1);
                    assertThat(columns).as(Arrays.toString(columns)).hasSize(4);
                    rows.add(new Row(Integer.parseInt(columns[0]), "-".equals(columns[1]), columns[2], columns[3]));
                }
            }
        }
        return rows;
    }
}
