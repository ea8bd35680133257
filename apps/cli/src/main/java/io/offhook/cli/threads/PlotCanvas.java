package io.offhook.cli.threads;

import java.util.List;

/**
 * What a plot is drawn on. Coordinates are in units of a pixel of an ordinary screen, right and down from the corner on the top
 * left; what is drawn later is on top. All of a plot but its letters has edges that run along the axes.
 */
interface PlotCanvas {
    /** Which end of a text its place is. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** A rectangle with whole edges; {@code y} is that of its upper one. */
    record Box(int x, int y, int width, int height) {}

    /** Begins a picture. Called once, first. */
    void begin(int width, int height, String title);

    /** Draws a filled rectangle. */
    void rectangle(PlotStyle style, double x, double y, double width, double height);

    /** Draws filled rectangles of one style. */
    void boxes(PlotStyle style, List<Box> boxes);

    /** Fills what is between a base line and steps of one unit each, the first at {@code x}. */
    void area(PlotStyle style, int x, double base, double[] y);

    /** Draws a line in steps of one unit each, the first at {@code x}. */
    void line(PlotStyle style, int x, double[] y);

    /** Draws a vertical line of the grid. */
    void rule(double x, int top, int bottom);

    /** Writes a line of text; {@code y} is what its letters stand on. */
    void text(PlotStyle style, double x, double y, Anchor anchor, String text);

    /** Ends the picture; returns the contents of its file. */
    byte[] end();
}
