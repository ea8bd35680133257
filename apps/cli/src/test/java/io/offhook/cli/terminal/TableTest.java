package io.offhook.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final List<Table.Column> COLUMNS = List.of(
            Table.Column.time("Time", 60),
            Table.Column.text("From", 70, 6),
            Table.Column.number("MOS", 50),
            Table.Column.text("Why", 90, 10));

    private static String print(Table table, Offhook offhook, boolean colored) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = offhook.terminal(out, new ByteArrayOutputStream());
        try {
            table.print(terminal, colored);
            terminal.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Table table() {
        Table table = new Table(COLUMNS);
        table.section("2026-11-21 (UTC)");
        table.row().cell("14:03:07.125").cell("alice@example").cell("4.36").cell("");
        table.row().cell("14:03:08.000").cell("bob").cell("").cell("8 % lost from callee, no ACK", Style.BAD);
        table.section("2026-11-22 (UTC)");
        table.row().cell("00:00:00.000").cell("carol");
        return table;
    }

    @Test
    void isCompleteInAPipe() {
        assertThat(print(table(), new Offhook(), false)).isEqualTo("""
                        2026-11-21 (UTC)
                        Time          From            MOS  Why
                        14:03:07.125  alice@example  4.36
                        14:03:08.000  bob                  8 % lost from callee, no ACK
                        2026-11-22 (UTC)
                        00:00:00.000  carol
                        """);
    }

    @Test
    void cutsTheLeastImportantColumnFirst() {
        assertThat(print(table(), new Offhook().onTerminal(50), false)).isEqualTo("""
                        2026-11-21 (UTC)
                        Time      From     MOS  Why
                        14:03:07  alice…  4.36
                        14:03:08  bob           8 % lost from callee, no …
                        2026-11-22 (UTC)
                        00:00:00  carol
                        """);
    }

    @Test
    void leavesOutColumnsThatDoNotFit() {
        Table table = new Table(List.of(
                Table.Column.number("Least", 1), Table.Column.text("Middle", 2, 20), Table.Column.text("Most", 3, 30)));
        table.row().cell("12345").cell("m".repeat(20)).cell("x".repeat(50));
        assertThat(print(table, new Offhook().onTerminal(40), false))
                .isEqualTo("Most\n" + "x".repeat(39) + "…\nNot shown at 40 columns: Least, Middle.\n");
    }

    @Test
    void essentialColumnsAreCutShortRatherThanLeftOut() {
        Table table = new Table(
                List.of(Table.Column.text("A", 60, 20), Table.Column.number("N", 59), Table.Column.text("B", 61, 30)));
        table.row().cell("a".repeat(30)).cell("1").cell("b".repeat(30));
        assertThat(print(table, new Offhook().onTerminal(42), false))
                .isEqualTo("A" + " ".repeat(21) + "B\n" + "a".repeat(19) + "…  " + "b".repeat(19)
                        + "…\nNot shown at 42 columns: N.\n");
    }

    @Test
    void keyColumnsKeepTheirEndAndOutlastAllOthers() {
        Table table = new Table(List.of(
                Table.Column.keyNumber("#"),
                Table.Column.key("To", 12),
                Table.Column.number("N", 99),
                Table.Column.text("Why", 99, 8)));
        table.row().cell("1").cell("+4420794601234567").cell("1,234").cell("because of this and that");
        assertThat(print(table, new Offhook().onTerminal(40), false)).isEqualTo("""
                        #  To                N  Why
                        1  +4420…234567  1,234  because of this…
                        """);
        Table narrow = new Table(
                List.of(Table.Column.keyNumber("#"), Table.Column.key("To", 12), Table.Column.text("Why", 99, 8)));
        narrow.row().cell("1").cell("+4420794601234567".repeat(4)).cell("because of this and that".repeat(4));
        String printed = print(narrow, new Offhook().onTerminal(40), false);
        assertThat(printed).contains("#  To", "34567  bec");
    }

    @Test
    void wholeTextThatHasNoRoomIsPrintedBelowItsRow() {
        Table table = new Table(
                List.of(Table.Column.keyNumber("#"), Table.Column.key("To", 12), Table.Column.wholeText("Why", 90, 8)));
        table.row().cell("9").cell("alice@example.org").cell("nothing from callee, and a lot too late");
        table.row().cell("10").cell("bob").cell("busy");
        assertThat(print(table, new Offhook().onTerminal(40), false)).isEqualTo("""
                         #  To                 Why
                         9  alice@example.org
                            nothing from callee, and a lot too
                              late
                        10  bob                busy
                        """);
        assertThat(print(table, new Offhook(), false)).hasLineCount(3);
    }

    @Test
    void aTimeIsCutToWholeSeconds() {
        Table table = new Table(List.of(Table.Column.time("Time", 60), Table.Column.key("To", 30)));
        table.row().cell("14:03:07.123").cell("x".repeat(29));
        assertThat(print(table, new Offhook().onTerminal(40), false)).contains("14:03:07  x");
    }

    @Test
    void columnsWithoutContentGoFirstAndUnnamed() {
        Table table = new Table(List.of(Table.Column.text("Empty", 99, 20), Table.Column.text("Text", 1, 20)));
        table.row().cell("").cell("x".repeat(38));
        assertThat(print(table, new Offhook().onTerminal(40), false)).isEqualTo("Text\n" + "x".repeat(38) + "\n");
    }

    @Test
    void withoutUnicodeTheCutIsMarkedInAscii() {
        Offhook ascii = new Offhook().onTerminal(50).charset(StandardCharsets.US_ASCII);
        assertThat(print(table(), ascii, false)).contains("alice~").doesNotContain("…");
    }

    @Test
    void coloursDoNotCountAsWidth() {
        String plain = print(table(), new Offhook().onTerminal(60), false);
        String colored = print(table(), new Offhook().onTerminal(60), true);
        assertThat(colored).contains("\u001b[31m").contains("\u001b[0m");
        assertThat(colored.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(plain);
    }

    @Test
    void masksControlCharactersInCells() {
        Table table = new Table(COLUMNS);
        table.row().cell("").cell("\u001b]0;title\u0007\n").cell("").cell("");
        assertThat(print(table, new Offhook(), false))
                .doesNotContain("\u001b", "\u0007")
                .hasLineCount(2);
    }

    @Test
    void linesFitAndAlignForRandomContent() {
        long seed = 7;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<Table.Column> columns = new ArrayList<>();
            for (int i = random.nextInt(1, 9); i > 0; i--) {
                columns.add(
                        random.nextBoolean()
                                ? Table.Column.number("N" + i, random.nextInt(100))
                                : Table.Column.text("T" + i, random.nextInt(100), random.nextInt(3, 30)));
            }
            Table table = new Table(columns);
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                Table.Row row = table.row();
                for (int c = random.nextInt(columns.size() + 1); c > 0; c--) {
                    row.cell("é東x".repeat(random.nextInt(6)));
                }
            }
            int width = random.nextInt(40, 120);
            assertThat(print(table, new Offhook().onTerminal(width), false).lines())
                    .as("seed %d round %d", seed, round)
                    .allSatisfy(line -> {
                        assertThat(Text.width(line)).isLessThanOrEqualTo(width);
                        assertThat(line).doesNotEndWith(" ");
                    });
        }
    }
}
