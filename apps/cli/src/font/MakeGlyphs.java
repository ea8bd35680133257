import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.font.GlyphVector;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * Draws the letters of plots once, so that who plots needs neither fonts nor the JDK's desktop (docs/decisions/0056). Run by
 * hand, for a font whose licence permits it: {@code java apps/cli/src/font/MakeGlyphs.java FONT.ttf PIXELS OUT.glyphs}.
 *
 * <p>A file has, in network byte order: the number of letters (2 octets); and for each, in the order of their numbers: the
 * number of the letter in Unicode (2), what it moves the pen on in 1/64 pixels (2), where it begins right of the pen and above the
 * line in pixels (1 each, signed), its width and height (1 each), and how much of each pixel it covers, row by row from the top
 * (1 each, 0 to 255).
 */
final class MakeGlyphs {
    /** Latin, Greek and Cyrillic letters. */
    private static final int[][] RANGES = {{0x20, 0x7e}, {0xa0, 0x17f}, {0x391, 0x3c9}, {0x400, 0x45f}};

    /** Dashes, quotation marks, an ellipsis, arrows, and the box that stands for letters that are not here. */
    private static final int[] SIGNS = {
        0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2026, 0x20ac, 0x2190, 0x2192, 0x25a1
    };

    private MakeGlyphs() {}

    public static void main(String... args) throws Exception {
        if (args.length != 3) {
            System.err.println("usage: java MakeGlyphs.java FONT.ttf PIXELS OUT.glyphs");
            System.exit(2);
        }
        System.setProperty("java.awt.headless", "true");
        Font font = Font.createFont(Font.TRUETYPE_FONT, Path.of(args[0]).toFile())
                .deriveFont(Float.parseFloat(args[1]));
        int[] all = IntStream.concat(
                        IntStream.range(0, RANGES.length).flatMap(i -> IntStream.rangeClosed(RANGES[i][0], RANGES[i][1])),
                        IntStream.of(SIGNS))
                .filter(font::canDisplay)
                .toArray();
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(Path.of(args[2])))) {
            out.writeShort(all.length);
            for (int letter : all) {
                write(font, letter, out);
            }
        }
    }

    private static void write(Font font, int letter, DataOutputStream out) throws IOException {
        FontRenderContext context = new FontRenderContext(new AffineTransform(), true, true);
        GlyphVector glyph = font.createGlyphVector(context, Character.toString(letter));
        Rectangle box = glyph.getPixelBounds(context, 0, 0);
        out.writeShort(letter);
        out.writeShort(Math.round(glyph.getGlyphMetrics(0).getAdvanceX() * 64));
        out.writeByte(box.x);
        out.writeByte(-box.y);
        out.writeByte(box.width);
        out.writeByte(box.height);
        if (box.isEmpty()) {
            return;
        }
        BufferedImage image = new BufferedImage(box.width, box.height, BufferedImage.TYPE_BYTE_GRAY);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setColor(Color.WHITE);
        graphics.drawGlyphVector(glyph, -box.x, -box.y);
        graphics.dispose();
        for (int y = 0; y < box.height; y++) {
            for (int x = 0; x < box.width; x++) {
                out.writeByte(image.getRaster().getSample(x, y, 0));
            }
        }
    }
}
