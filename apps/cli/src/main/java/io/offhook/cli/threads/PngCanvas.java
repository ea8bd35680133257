package io.offhook.cli.threads;

import java.util.Arrays;
import java.util.List;

/** Draws a plot in pixels, two of them a unit in each direction, on light paper, with letters that it brings along. */
final class PngCanvas implements PlotCanvas {
    private static final int SCALE = 2;
    private static final double LINE = 1.6;

    private final Glyphs letters = Glyphs.read("text.glyphs");
    private final Glyphs title = Glyphs.read("title.glyphs");
    private int width;
    private int height;
    private int[] pixels = {};

    @Override
    public void begin(int width, int height, String title) {
        this.width = width * SCALE;
        this.height = height * SCALE;
        pixels = new int[this.width * this.height];
        Arrays.fill(pixels, PlotStyle.PAPER.light());
    }

    @Override
    public void rectangle(PlotStyle style, double x, double y, double width, double height) {
        double right = (x + width) * SCALE;
        double bottom = (y + height) * SCALE;
        double left = x * SCALE;
        double top = y * SCALE;
        for (int row = (int) top; row < bottom; row++) {
            double covered = Math.min(row + 1, bottom) - Math.max(row, top);
            for (int column = (int) left; column < right; column++) {
                double across = Math.min(column + 1, right) - Math.max(column, left);
                blend(column, row, style, covered * across);
            }
        }
    }

    /** @param covered how much of the pixel, 0 to 1 */
    private void blend(int column, int row, PlotStyle style, double covered) {
        if (column < 0 || row < 0 || column >= width || row >= height || covered <= 0) {
            return;
        }
        int at = row * width + column;
        double part = covered * style.opacity();
        int mixed = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            double below = pixels[at] >> shift & 0xff;
            double above = style.light() >> shift & 0xff;
            mixed |= (int) Math.round(below + (above - below) * part) << shift;
        }
        pixels[at] = mixed;
    }

    @Override
    public void boxes(PlotStyle style, List<Box> boxes) {
        for (Box box : boxes) {
            rectangle(style, box.x(), box.y(), box.width(), box.height());
        }
    }

    @Override
    public void area(PlotStyle style, int x, double base, double[] y) {
        for (int i = 0; i < y.length; i++) {
            rectangle(style, x + i, y[i], 1, base - y[i]);
        }
    }

    @Override
    public void line(PlotStyle style, int x, double[] y) {
        int begin = 0;
        for (int i = 1; i <= y.length; i++) {
            if (i < y.length && y[i] == y[begin]) {
                continue;
            }
            rectangle(style, x + begin, y[begin] - LINE / 2, i - begin, LINE);
            if (i < y.length) {
                double top = Math.min(y[i], y[begin]) - LINE / 2;
                rectangle(style, x + i - LINE / 2, top, LINE, Math.abs(y[i] - y[begin]) + LINE);
            }
            begin = i;
        }
    }

    @Override
    public void rule(double x, int top, int bottom) {
        rectangle(PlotStyle.GRID, x - 0.5, top, 1, bottom - top);
    }

    @Override
    public void text(PlotStyle style, double x, double y, Anchor anchor, String text) {
        Glyphs font = style == PlotStyle.TITLE ? title : letters;
        double pen = x * SCALE
                - font.width(text)
                        * switch (anchor) {
                            case START -> 0;
                            case MIDDLE -> 0.5;
                            case END -> 1;
                        };
        int line = (int) Math.round(y * SCALE);
        for (int letter : text.codePoints().toArray()) {
            Glyphs.Glyph glyph = font.of(letter);
            int left = (int) Math.round(pen) + glyph.left;
            for (int i = 0; i < glyph.pixels(); i++) {
                int row = line - glyph.above + i / glyph.width;
                blend(left + i % glyph.width, row, style, glyph.covered(i));
            }
            pen += glyph.advance;
        }
    }

    @Override
    public byte[] end() {
        return Png.of(width, height, pixels);
    }
}
