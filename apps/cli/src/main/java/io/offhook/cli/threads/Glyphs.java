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
    private static final double OPAQUE = 255;

    private final Map<Integer, Glyph> glyphs;

    /** A letter. */
    static final class Glyph {
        /** What it moves the pen on, in pixels. */
        final double advance;
        /** Where its pixels begin, right of the pen and above the line. */
        final int left;

        final int above;
        final int width;
        /** How much of each pixel it covers, row by row from the top, 0 to 255. */
        private final byte[] covered;

        private Glyph(DataInputStream in) throws IOException {
            advance = in.readUnsignedShort() / FRACTION;
            left = in.readByte();
            above = in.readByte();
            width = in.readUnsignedByte();
            covered = in.readNBytes(width * in.readUnsignedByte());
        }

        /** How many pixels it has. */
        int pixels() {
            return covered.length;
        }

        /** How much of a pixel it covers, 0 to 1. */
        double covered(int pixel) {
            return (covered[pixel] & 0xff) / OPAQUE;
        }
    }

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
            glyphs.put(letter, new Glyph(in));
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
        return text.codePoints().mapToDouble(letter -> of(letter).advance).sum();
    }
}
