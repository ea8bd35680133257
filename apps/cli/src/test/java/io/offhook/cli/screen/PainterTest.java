package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.terminal.Style;
import org.junit.jupiter.api.Test;

class PainterTest {
    private static Cells page(String... lines) {
        Cells cells = new Cells(20, lines.length, true);
        for (int i = 0; i < lines.length; i++) {
            cells.text(i, 0, lines[i], Style.PLAIN);
        }
        return cells;
    }

    @Test
    void sendsOnlyWhatChanged() {
        Painter painter = new Painter(Palette.DARK);
        assertThat(painter.paint(page("one", "two"))).contains("\u001b[2J", "one", "two");
        assertThat(painter.paint(page("one", "two"))).isEmpty();
        assertThat(painter.paint(page("one", "tWo"))).isEqualTo("\u001b[2;2H\u001b[0mW");
    }

    @Test
    void sendsAllAfterAChangeOfSize() {
        Painter painter = new Painter(Palette.DARK);
        painter.paint(page("one", "two"));
        assertThat(painter.paint(page("one", "two", "three"))).contains("\u001b[2J", "one", "two", "three");
        painter.forget();
        assertThat(painter.paint(page("one", "two", "three"))).contains("one");
    }

    @Test
    void sendsWideSignsWhole() {
        Painter painter = new Painter(Palette.DARK);
        painter.paint(page("a漢b"));
        assertThat(painter.paint(page("axyb"))).isEqualTo("\u001b[1;2H\u001b[0mxy");
        assertThat(painter.paint(page("ax漢"))).isEqualTo("\u001b[1;3H\u001b[0m漢");
    }

    @Test
    void withoutColoursVerdictsStillDiffer() {
        for (Palette palette : Palette.values()) {
            String bad = palette.sequence(Style.BAD, Cells.Mark.NONE);
            assertThat(bad).isNotEqualTo(palette.sequence(Style.PLAIN, Cells.Mark.NONE));
            assertThat(palette.sequence(Style.PLAIN, Cells.Mark.CURSOR)).contains(";7");
        }
        assertThat(Palette.NONE.sequence(Style.BAD, Cells.Mark.BAR)).doesNotContainPattern(";(3|38|48|9)[0-9]*");
    }

    @Test
    void masksWhatWouldControlTheTerminal() {
        Cells cells = page("a\u001b[2Jb\u202e");
        assertThat(cells.line(0)).isEqualTo("a\ufffd[2Jb\ufffd");
        assertThat(new Cells(4, 1, false).isUnicode()).isFalse();
    }
}
