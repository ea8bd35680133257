package io.offhook.cli.screen;

import io.offhook.cli.terminal.Style;
import java.util.List;
import java.util.function.IntFunction;

/** A page of lines to scroll: statistics, streams, session descriptions, help. */
final class TextScreen implements Screen {
    private final Chrome chrome;
    private final String title;
    private final IntFunction<List<String>> text;
    private int top;
    private int madeFor;
    private List<String> made = List.of();

    /** @param text the lines for a width, with escape sequences of {@link Style#append} */
    TextScreen(Chrome chrome, String title, IntFunction<List<String>> text) {
        this.chrome = chrome;
        this.title = title;
        this.text = text;
    }

    private List<String> lines(int columns) {
        int width = View.textWidth(columns);
        if (width != madeFor) {
            made = text.apply(width);
            madeFor = width;
        }
        return made;
    }

    private int top(int columns, int rows) {
        return Math.clamp(top, 0, Math.max(0, lines(columns).size() - chrome.shown(rows)));
    }

    @Override
    public void draw(Cells cells) {
        chrome.draw(cells, title, "", Style.PLAIN, "Esc back");
        List<String> lines = lines(cells.width());
        int first = top(cells.width(), cells.height());
        int shown = Math.min(chrome.shown(cells.height()), lines.size() - first);
        for (int i = 0; i < shown; i++) {
            cells.styled(chrome.top() + i, 1, lines.get(first + i));
        }
    }

    @Override
    public Step on(Key key, int columns, int rows) {
        Scroll scroll = new Scroll();
        int count = Math.max(1, lines(columns).size() - chrome.shown(rows) + 1);
        scroll.to(top(columns, rows), count, 1);
        if (scroll.on(key, count, chrome.shown(rows))) {
            top = scroll.cursor();
            return Step.STAY;
        }
        if (key.kind() == Key.Kind.ESCAPE || key.kind() == Key.Kind.LEFT || key.kind() == Key.Kind.BACKSPACE) {
            return Step.BACK;
        }
        return key.is('q') ? Step.BACK : Step.STAY;
    }
}
