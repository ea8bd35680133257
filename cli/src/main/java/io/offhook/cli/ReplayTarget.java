package io.offhook.cli;

import io.offhook.linux.LinuxException;
import io.offhook.linux.NetworkDevice;
import io.offhook.live.LiveInterface;
import io.offhook.live.PacketSocketSink;
import io.offhook.live.PacketSocketSinkOptions;
import java.io.IOException;
import java.util.List;

/**
 * The interface that {@code replay} sends to.
 *
 * @param device what the kernel told of it
 */
record ReplayTarget(NetworkDevice device, PacketSocketSink sink) implements AutoCloseable {
    static void describe(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("-i", LiveOptions.INTERFACE)
                .paramLabel("NAME")
                .type(String.class)
                .description("Send to this interface. offhook interfaces lists them.")
                .build());
        spec.addOption(OptionSpec.builder("--bypass-queue")
                .description(
                        "Send past the queueing discipline of the interface: faster, but neither shaped nor seen by"
                                + " captures on this machine.")
                .build());
    }

    /** Opens what was named. @throws MisuseException where it cannot be sent to: why, and what would help */
    static ReplayTarget open(ParseResult arguments) throws IOException {
        String name = arguments.optionValue(LiveOptions.INTERFACE, String.class);
        if (name == null) {
            throw new MisuseException("-i NAME is missing, which says where to send; offhook interfaces lists them");
        }
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new MisuseException("sending needs Linux; this is " + system);
        }
        try {
            List<LiveInterface> known = LiveInterface.all();
            NetworkDevice device = LiveInput.usable(LiveInput.named(name, known), "afpacket");
            PacketSocketSinkOptions options =
                    PacketSocketSinkOptions.of(name).withQueueBypassed(arguments.hasMatchedOption("--bypass-queue"));
            return new ReplayTarget(device, PacketSocketSink.open(options));
        } catch (LinuxException | IllegalArgumentException e) {
            throw new MisuseException("-i " + name + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        sink.close();
    }
}
