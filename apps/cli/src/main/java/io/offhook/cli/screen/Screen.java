package io.offhook.cli.screen;

import java.util.List;

/** A page and what its keys do. What it shows depends on its state alone; keys change the state. */
interface Screen {
    /** What is to happen after a key. */
    sealed interface Step {
        /** The page stays. */
        record Stay() implements Step {}

        /** The page before is shown again. */
        record Back() implements Step {}

        /** The command ends. */
        record Quit() implements Step {}

        /** Another page comes on top. */
        record Open(Screen screen) implements Step {}

        Step STAY = new Stay();
        Step BACK = new Back();
        Step QUIT = new Quit();
    }

    /** Draws the page on empty cells. Changes nothing. */
    void draw(Cells cells);

    /**
     * Acts on a key.
     *
     * @param columns of the page
     * @param rows of the page
     */
    Step on(Key key, int columns, int rows);

    /** Takes over what came since the last time; true if the page looks different now. */
    default boolean refresh() {
        return false;
    }

    /** Whether letters are text that somebody types. */
    default boolean isTyping() {
        return false;
    }

    /** The lines on its keys, for the page of help: "Enter  the call". */
    default List<String> help() {
        return List.of();
    }
}
