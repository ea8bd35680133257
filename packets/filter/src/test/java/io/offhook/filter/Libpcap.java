package io.offhook.filter;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** libpcap and the kernel, asked through a small program in C, {@code src/test/c/libpcap.c}, that is compiled here. */
final class Libpcap implements AutoCloseable {
    /** What libpcap says it is; other versions may make other programs. */
    private static final String VERSION = "libpcap version 1.10.";

    private final Process process;
    private final Writer questions;
    private final BufferedReader answers;

    private Libpcap(Process process) {
        this.process = process;
        questions = process.outputWriter(StandardCharsets.US_ASCII);
        answers = process.inputReader(StandardCharsets.ISO_8859_1);
    }

    /** Skips the test where there is no compiler or no libpcap 1.10 with its header. */
    static Libpcap start(Path folder) throws IOException, InterruptedException {
        Path source = Path.of("src/test/c/libpcap.c").toAbsolutePath();
        Path program = folder.resolve("libpcap");
        String said = output("cc", "-O1", "-o", program.toString(), source.toString(), "-lpcap", "-ldl");
        assumeTrue(said != null && Files.isExecutable(program), "no C compiler with libpcap's header on Linux");
        Libpcap libpcap = new Libpcap(new ProcessBuilder(program.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String version = libpcap.ask("version");
        assumeTrue(version.startsWith(VERSION), "another libpcap is installed: " + version);
        return libpcap;
    }

    private static @Nullable String output(String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                String said = reader.readAllAsString();
                return process.waitFor() == 0 ? said : null;
            }
        } catch (IOException e) {
            return null;
        }
    }

    private String ask(String question) throws IOException {
        questions.append(question).append('\n').flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("libpcap ended on: " + question);
        }
        return answer;
    }

    /** The program for a capture file, {@link #text as text}; or "error " and why there is none. */
    String compile(String expression, int linkType, boolean isOptimized) throws IOException {
        return ask("compile " + linkType + (isOptimized ? " 1 " : " 0 ")
                + hex(expression.getBytes(StandardCharsets.UTF_8)));
    }

    /** Instructions as "code jt jf k", decimal and unsigned, with commas between. */
    static String text(BpfProgram program) {
        StringJoiner text = new StringJoiner(",");
        for (int i = 0; i < program.length(); i++) {
            text.add(program.code(i) + " " + program.jt(i) + ' ' + program.jf(i) + ' '
                    + Integer.toUnsignedString(program.k(i)));
        }
        return text.toString();
    }

    /** What bpf_filter returns. */
    int run(BpfProgram program, byte[] packet, int wireLength) throws IOException {
        return Integer.parseUnsignedInt(
                ask("run " + hex(bytes(program)) + ' ' + wireLength + ' ' + packet.length + ' ' + hex(packet)));
    }

    /** "ok" where the kernel takes the program, else "error " and why. */
    String attach(BpfProgram program) throws IOException {
        return ask("kernel " + hex(bytes(program)));
    }

    /** How many bytes of a packet a socket gets that has the program. */
    int send(BpfProgram program, byte[] packet) throws IOException {
        return Integer.parseInt(ask("send " + hex(program.toSockFilters()) + ' ' + hex(packet)));
    }

    private static byte[] bytes(BpfProgram program) {
        ByteBuffer bytes = ByteBuffer.allocate(program.length() * BpfProgram.INSTRUCTION_BYTES)
                .order(ByteOrder.nativeOrder());
        for (int i = 0; i < program.length(); i++) {
            bytes.putShort((short) program.code(i)).put((byte) program.jt(i)).put((byte) program.jf(i));
            bytes.putInt(program.k(i));
        }
        return bytes.array();
    }

    private static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() throws IOException {
        questions.close();
        process.destroy();
    }
}
