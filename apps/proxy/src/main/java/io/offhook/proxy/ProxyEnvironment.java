package io.offhook.proxy;

import io.offhook.proxy.line.LineOutput;
import java.io.OutputStream;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a proxy needs of the process that it runs in.
 *
 * @param failures is told of exceptions that cost a message, which are bugs
 * @param log receives lines of the log, unless the configuration names a file
 * @param variables the environment, by which the control socket is found
 * @param user the name of the user, likewise
 * @param hasControl whether there may be a control socket
 * @param configuration reads the configuration again, with {@link io.offhook.config.ConfigException} for its faults
 * @param stop ends the proxy, asked for by the control socket; true for at once
 */
public record ProxyEnvironment(
        Consumer<Throwable> failures,
        LineOutput log,
        Map<String, String> variables,
        String user,
        boolean hasControl,
        Supplier<ProxyConfig> configuration,
        Consumer<Boolean> stop) {
    /** For a proxy inside of another program: no log, no control socket, no configuration to read again. */
    public static ProxyEnvironment embedded(ProxyConfig config, Consumer<Throwable> failures) {
        return new ProxyEnvironment(
                failures, LineOutput.of(OutputStream.nullOutputStream()), Map.of(), "", false, () -> config, _ -> {});
    }
}
