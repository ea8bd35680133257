package io.offhook.cli.threads;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes pixels as PNG (W3C Portable Network Graphics, third edition): 8 bits a colour, not interlaced. */
final class Png {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int DEPTH = 8;
    private static final int TRUECOLOUR = 2;
    private static final int UP = 2;
    private static final int COLOURS = 3;

    private Png() {}

    /** @param pixels row by row from the top: red, green and blue, 8 bits each */
    static byte[] of(int width, int height, int[] pixels) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(file)) {
            out.write(SIGNATURE);
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            DataOutputStream fields = new DataOutputStream(header);
            fields.writeInt(width);
            fields.writeInt(height);
            fields.write(new byte[] {DEPTH, TRUECOLOUR, 0, 0, 0});
            chunk(out, "IHDR", header.toByteArray());
            chunk(out, "IDAT", image(width, height, pixels));
            chunk(out, "IEND", new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory
        }
        return file.toByteArray();
    }

    /** Each row as what differs from the one above, by octets (filter type 2), and all of it compressed. */
    private static byte[] image(int width, int height, int[] pixels) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out =
                new DeflaterOutputStream(compressed, new Deflater(Deflater.BEST_COMPRESSION), 1 << 16)) {
            byte[] row = new byte[1 + width * COLOURS];
            row[0] = UP;
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    int pixel = pixels[y * width + x];
                    int above = y == 0 ? 0 : pixels[(y - 1) * width + x];
                    for (int i = 0; i < COLOURS; i++) {
                        int shift = 16 - 8 * i;
                        row[1 + x * COLOURS + i] = (byte) ((pixel >> shift) - (above >> shift));
                    }
                }
                out.write(row);
            }
        }
        return compressed.toByteArray();
    }

    private static void chunk(DataOutputStream out, String type, byte[] contents) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(contents);
        out.writeInt(contents.length);
        out.write(name);
        out.write(contents);
        out.writeInt((int) sum.getValue());
    }
}
