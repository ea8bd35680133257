package io.offhook.cli.threads;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The letters of one font in one size, as drawn by {@code src/font/MakeGlyphs.java}, which describes their file. */
final class Glyphs {
    private static final int MISSING = '□';
    private static final double FRACTION = 64;

    private final Map<Integer, Glyph> glyphs;

    /**
     * A letter.
     *
     * @param advance what it moves the pen on, in pixels
     * @param left where its pixels begin, right of the pen
     * @param above where they begin, above the line
     * @param covered how much of each pixel it covers, row by row from the top, 0 to 255
     */
    record Glyph(double advance, int left, int above, int width, byte[] covered) {}

    private Glyphs(Map<Integer, Glyph> glyphs) {
        this.glyphs = glyphs;
    }

    /** Reads a file of this package. */
    static Glyphs read(String name) {
        try (InputStream file = Glyphs.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new FileNotFoundException(name);
            }
            return read(new DataInputStream(new BufferedInputStream(file)));
        } catch (IOException e) {
            throw new UncheckedIOException("letters of plots", e);
        }
    }

    private static Glyphs read(DataInputStream in) throws IOException {
        Map<Integer, Glyph> glyphs = new HashMap<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            int letter = in.readUnsignedShort();
            double advance = in.readUnsignedShort() / FRACTION;
            int before = in.readByte();
            int above = in.readByte();
            int width = in.readUnsignedByte();
            int height = in.readUnsignedByte();
            glyphs.put(letter, new Glyph(advance, before, above, width, in.readNBytes(width * height)));
        }
        return new Glyphs(glyphs);
    }

    /** A letter; a box for those that are not here. */
    Glyph of(int letter) {
        Glyph glyph = glyphs.getOrDefault(letter, glyphs.get(MISSING));
        if (glyph == null) {
            throw new IllegalStateException("no box among the letters");
        }
        return glyph;
    }

    /** The width of a text in pixels. */
    double width(String text) {
        return text.codePoints().mapToDouble(letter -> of(letter).advance()).sum();
    }
}
