package io.offhook.cli.screen;

import java.util.ArrayDeque;
import java.util.Deque;

/** The pages that are open: the uppermost one is shown and receives keys. */
final class ScreenStack {
    private final Deque<Screen> screens = new ArrayDeque<>();
    private final Chrome chrome;
    private final View view;

    ScreenStack(CallSource source, View view, Screen first) {
        this.view = view;
        chrome = new Chrome(source);
        screens.push(first);
    }

    /** Whether somebody quit. */
    boolean isEmpty() {
        return screens.isEmpty();
    }

    /** Closes all pages. */
    void quit() {
        screens.clear();
    }

    /** The uppermost page, with what came since the last time. */
    Cells page(int columns, int rows) {
        Screen screen = screens.element();
        screen.refresh();
        Cells cells = new Cells(columns, rows, view.unicode());
        screen.draw(cells);
        return cells;
    }

    /** Gives a key to the uppermost page. */
    void on(Key key, int columns, int rows) {
        Screen screen = screens.element();
        boolean asksForHelp = key.isF(1) || !screen.isTyping() && (key.is('?') || key.is('h'));
        Screen.Step step =
                asksForHelp ? new Screen.Step.Open(Pages.help(chrome, screen.help())) : screen.on(key, columns, rows);
        switch (step) {
            case Screen.Step.Stay _ -> {}
            case Screen.Step.Back _ -> screens.pop();
            case Screen.Step.Quit _ -> screens.clear();
            case Screen.Step.Open opened -> screens.push(opened.screen());
        }
    }
}
