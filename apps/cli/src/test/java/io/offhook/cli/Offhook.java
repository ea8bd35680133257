package io.offhook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Runs the command in this process, with streams and an environment of its own. */
public final class Offhook {
    private final Map<String, String> environment = new HashMap<>();
    private Charset charset = StandardCharsets.UTF_8;
    private String terminals = "";
    private byte[] input = new byte[0];

    /** What came of it. */
    public record Result(int code, String out, String err) {}

    public static Result run(String... args) {
        return new Offhook().with(args);
    }

    /** Runs a command that must succeed, and print nothing to standard error. */
    public static Result done(String... args) {
        Result result = run(args);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return result;
    }

    /** A terminal of that width at the end of standard output. */
    public Offhook onTerminal(int columns) {
        terminals = "1";
        environment.put("OFFHOOK_COLUMNS", Integer.toString(columns));
        return this;
    }

    Offhook terminals(String numbers) {
        terminals = numbers;
        return this;
    }

    public Offhook environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public Offhook charset(Charset value) {
        charset = value;
        return this;
    }

    public Offhook input(byte[] value) {
        input = value;
        return this;
    }

    public Result with(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(args, terminal(out, err));
        return new Result(code, out.toString(charset), err.toString(charset));
    }

    public Terminal terminal(OutputStream out, OutputStream err) {
        return new Terminal(out, err, new ByteArrayInputStream(input), environment, charset, terminals);
    }
}
