package io.offhook.cli.replay;

import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.LiveOptions;
import io.offhook.cli.terminal.Terminal;
import io.offhook.linux.LinuxException;
import io.offhook.linux.UserAccount;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.linux.network.NetworkDevice.OperationalState;
import io.offhook.live.packetsocket.PacketSocketSink;
import io.offhook.live.packetsocket.PacketSocketSinkOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The interface that {@code replay} sends to.
 *
 * @param device the interface, as the kernel describes it
 */
record ReplayTarget(NetworkDevice device, PacketSocketSink sink) implements AutoCloseable {
    static void describe(CommandSpec spec) {
        spec.addOption(
                "-i",
                LiveOptions.INTERFACE,
                "NAME",
                String.class,
                "Send to this interface. offhook interfaces lists all.");
        spec.addFlag(
                "--bypass-queue",
                "Bypass the queueing discipline of the interface. This is faster, but packets are neither shaped nor seen by"
                        + " captures on this machine.");
        spec.addOption(
                "--user",
                "NAME",
                String.class,
                "Become this user once the interface is open, giving up root before the captures are opened. The user"
                        + " must be able to read them.");
    }

    private static void become(@Nullable UserAccount account) {
        if (account != null) {
            LiveInput.become(account);
        }
    }

    /**
     * Opens the interface, and gives up root if requested.
     *
     * @throws MisuseException if packets cannot be sent to the interface; the message says why, and what helps
     */
    static ReplayTarget open(ParseResult arguments) throws IOException {
        String name = arguments.optionValue(LiveOptions.INTERFACE, String.class);
        if (name == null) {
            throw new MisuseException("-i NAME is missing: the interface to send on; offhook interfaces lists them");
        }
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new MisuseException("sending needs Linux; this is " + system);
        }
        UserAccount account = LiveInput.account(arguments.optionValue("--user", String.class));
        try {
            NetworkDevice device = LiveInput.forPacketSockets(name);
            PacketSocketSinkOptions options =
                    PacketSocketSinkOptions.of(name).withQueueBypassed(arguments.hasMatchedOption("--bypass-queue"));
            PacketSocketSink sink = PacketSocketSink.open(options);
            try {
                become(account);
            } catch (RuntimeException e) {
                sink.close();
                throw e;
            }
            return new ReplayTarget(device, sink);
        } catch (LinuxException | IllegalArgumentException e) {
            throw new MisuseException("-i " + name + ": " + e.getMessage());
        }
    }

    /** Reports a missing carrier, in which case the kernel accepts packets and drops them. */
    void reportMissingCarrier(Terminal terminal) {
        if (device.status().operational() == OperationalState.LOWER_LAYER_DOWN
                || device.status().operational() == OperationalState.DOWN) {
            terminal.error("interface " + device.name() + " has no carrier; packets sent there are lost");
        }
    }

    @Override
    public void close() {
        sink.close();
    }
}
