package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds programs for random expressions against those of {@code tcpdump -ddd}; skipped where there is none of libpcap 1.10. */
class TcpdumpTest {
    private static final int[] LINK_TYPES = {1, 1, 1, 1, 0, 6, 9, 10, 50, 101, 104, 105, 107, 113, 127, 192, 228, 276};
    private static final long SEED = 20_261_121L;
    private static final int EXPRESSIONS = 400;

    @TempDir
    Path folder;

    @Test
    void agreesOnRandomExpressions() throws IOException, InterruptedException {
        assumeTrue(version().contains("libpcap version 1.10."), "no tcpdump of libpcap 1.10 is installed");
        RandomExpressions expressions = new RandomExpressions(SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> differences = new ArrayList<>();
        int programs = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            String expression = expressions.next();
            int linkType = LINK_TYPES[random.nextInt(LINK_TYPES.length)];
            String theirs = theirs(expression, linkType);
            String ours = ours(expression, linkType);
            if (!theirs.isEmpty()) {
                programs++;
            }
            if (!ours.equals(theirs)) {
                differences.add("seed " + SEED + ", link type " + linkType + ": " + expression);
            }
        }
        assertThat(differences).isEmpty();
        assertThat(programs).isBetween(EXPRESSIONS / 4, EXPRESSIONS - 1);
    }

    private static String ours(String expression, int linkType) {
        try {
            return BpfListing.decimal(FilterCompiler.compile(expression, linkType, FilterCompiler.DEFAULT_SNAP_LENGTH));
        } catch (FilterException _) {
            return "";
        }
    }

    /** The program, or nothing where tcpdump rejects the expression. */
    private String theirs(String expression, int linkType) throws IOException, InterruptedException {
        Path capture = folder.resolve(linkType + ".pcap");
        if (!Files.exists(capture)) {
            Files.write(capture, emptyCapture(linkType));
        }
        return run("tcpdump", "-r", capture.toString(), "-ddd", "--", expression);
    }

    private static byte[] emptyCapture(int linkType) {
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xa1b2_c3d4).putShort((short) 2).putShort((short) 4).putLong(0);
        return header.putInt(FilterCompiler.DEFAULT_SNAP_LENGTH)
                .putInt(linkType)
                .array();
    }

    private static String version() throws InterruptedException {
        try {
            return run("tcpdump", "--version");
        } catch (IOException _) {
            return "";
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(command.length == 2 ? ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.DISCARD)
                .redirectErrorStream(command.length == 2)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? output : "";
    }
}
