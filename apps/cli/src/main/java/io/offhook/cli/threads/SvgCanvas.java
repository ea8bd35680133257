package io.offhook.cli.threads;

import io.offhook.report.text.Decimals;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Draws a plot as SVG: light, or dark where the viewer's colours are. */
final class SvgCanvas implements PlotCanvas {
    /** Steps that differ less are drawn as one. */
    private static final double FINEST = 0.05;

    private final StringBuilder out = new StringBuilder();

    @Override
    public void begin(int width, int height, String title) {
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\">\n");
        out.append("<title>").append(escaped(title)).append("</title>\n<style>\n");
        out.append("text{font:12px system-ui,'Segoe UI','DejaVu Sans',sans-serif}\n");
        out.append(".title{font-size:16px;font-weight:600}\n");
        out.append(".grid{stroke-width:1}\n");
        out.append(".mean{fill:none;stroke-width:1.6;stroke-linejoin:round}\n");
        for (PlotStyle style : PlotStyle.values()) {
            rule(style, style.light());
        }
        out.append("@media (prefers-color-scheme:dark){\n");
        for (PlotStyle style : PlotStyle.values()) {
            if (style.dark() != style.light()) {
                rule(style, style.dark());
            }
        }
        out.append("}\n</style>\n");
    }

    private void rule(PlotStyle style, int colour) {
        boolean isLine = style == PlotStyle.GRID || style == PlotStyle.MEAN;
        out.append('.').append(style.className()).append(isLine ? "{stroke:#" : "{fill:#");
        out.append(String.format(Locale.ROOT, "%06x", colour));
        if (style.opacity() < 1) {
            out.append(";fill-opacity:").append(Decimals.shortest(style.opacity(), 2));
        }
        out.append("}\n");
    }

    @Override
    public void rectangle(PlotStyle style, double x, double y, double width, double height) {
        out.append("<rect class=\"" + style.className() + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\""
                + number(width) + "\" height=\"" + number(height) + "\"/>\n");
    }

    @Override
    public void boxes(PlotStyle style, List<Box> boxes) {
        if (boxes.isEmpty()) {
            return;
        }
        begin(style);
        for (Box box : boxes) {
            out.append("M" + box.x() + " " + (box.y() + box.height()) + "h" + box.width() + "v-" + box.height() + "h-"
                    + box.width() + "z");
        }
        out.append("\"/>\n");
    }

    @Override
    public void area(PlotStyle style, int x, double base, double[] y) {
        begin(style);
        out.append("M" + x + " " + number(base));
        steps(y);
        out.append("V" + number(base) + "z\"/>\n");
    }

    @Override
    public void line(PlotStyle style, int x, double[] y) {
        begin(style);
        out.append("M" + x + " " + number(y[0]));
        steps(y);
        out.append("\"/>\n");
    }

    private void begin(PlotStyle style) {
        out.append("<path class=\"").append(style.className()).append("\" d=\"");
    }

    private void steps(double[] y) {
        int run = 0;
        for (int i = 0; i <= y.length; i++) {
            if (i == y.length || i > 0 && Math.abs(y[i] - y[i - 1]) >= FINEST) {
                out.append("h" + run);
                run = 0;
            }
            if (i < y.length) {
                if (run == 0) {
                    out.append("V" + number(y[i]));
                }
                run++;
            }
        }
    }

    @Override
    public void rule(double x, int top, int bottom) {
        begin(PlotStyle.GRID);
        out.append("M" + number(x) + " " + top + "V" + bottom + "\"/>\n");
    }

    @Override
    public void text(PlotStyle style, double x, double y, Anchor anchor, String text) {
        out.append("<text class=\"" + style.className() + "\" x=\"" + number(x) + "\" y=\"" + number(y)
                        + "\" text-anchor=\"" + anchor.name().toLowerCase(Locale.ROOT) + "\">")
                .append(escaped(text))
                .append("</text>\n");
    }

    @Override
    public byte[] end() {
        return out.append("</svg>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String number(double value) {
        return Decimals.shortest(value, 1);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
